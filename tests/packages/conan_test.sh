#!/usr/bin/env bash
# Conan's client makes the package and programs use it. Its dependencies are local recipes.
#   TENON_XSIMD="FOLDER..."   more folders that contain xsimd/xsimd.hpp, of other releases
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
conan=
for candidate in "${CONAN:-}" "$BUILD/python/bin/conan" "$(command -v conan || true)"; do
  [ -x "$candidate" ] && conan=$candidate && break
done
[[ $conan && $("$conan" --version) == *" 2."* ]] || { echo "skipped: conan 2 was not found"; exit 77; }
export CONAN_HOME=$WORK/home

# profile COMPILER VERSION STANDARD: prints a profile.
profile() {
  printf '%s\n' '[settings]' "os=$SYSTEM" arch="$ARCH" build_type=Release "compiler=$1" \
    "compiler.version=$2" "compiler.libcxx=$LIBRARY" "compiler.cppstd=$3" '[conf]' \
    tools.cmake.cmaketoolchain:generator=Ninja tools.cmake.cmaketoolchain:user_presets= \
    "tools.build:compiler_executables={'cpp': '$CXX'}" 'tools.build:cxxflags=["-O0"]'
}
profile "$COMPILER" "$COMPILER_VERSION" 20 >profile
offline() { "$conan" "$@" --no-remote; }

# add_xsimd FOLDER OPTIONS...: makes the package xsimd of the headers in that folder.
add_xsimd() { XSIMD=$1 quiet offline create "$here/recipes/xsimd" -pr:a profile "${@:2}"; }

cp -r "$ROOT/conan/test_package" test_package
add_xsimd "$XSIMD_HEADERS"
offline create "$ROOT/conan" -pr:a profile -tf "$WORK/test_package" >create.log 2>&1 ||
  { cat create.log; fail "conan create"; }
grep -q "tenon/$VERSION (test package): Running test" create.log || fail "$VERSION was not tested"
grep -q '^sum 14' create.log || fail "test_package was not run"
