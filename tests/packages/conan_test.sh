#!/usr/bin/env bash
# Conan's client makes the package and programs use it. Its dependencies are local recipes.
#   TENON_XSIMD="FOLDER..."   more folders with xsimd/xsimd.hpp, of other releases, such as 14
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
conan=
for candidate in "${CONAN:-}" "$BUILD/python/bin/conan" "$(command -v conan || true)"; do
  [ -x "$candidate" ] && conan=$candidate && break
done
[[ $conan && $("$conan" --version) == *" 2."* ]] ||
  { echo "skipped: conan 2 was not found"; exit 77; }
need ninja
export CONAN_HOME=$WORK/home

# profile COMPILER VERSION STANDARD: prints a profile.
profile() {
  printf '%s\n' '[settings]' "os=$SYSTEM" arch="$ARCH" build_type=Debug "compiler=$1" \
    "compiler.version=$2" "compiler.libcxx=$LIBRARY" "compiler.cppstd=$3" '[conf]' \
    tools.cmake.cmaketoolchain:generator=Ninja tools.cmake.cmaketoolchain:user_presets= \
    "tools.build:compiler_executables={'cpp': '$CXX'}"
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

# The package has the files of an installation.
install_usr "$WORK/installed"
rm -r installed/usr/share/{doc,pkgconfig}
others=$(diff -rq installed/usr home/p/b/tenon*/p |
  grep -vE ': (conaninfo.txt|conanmanifest.txt|licenses)$' || true)
expect "difference of the package and an installation" "" "$others"

# Other releases of xsimd: the newest that is supported is chosen, and the program runs with it.
# chosen_xsimd: prints the version that Tenon gets.
chosen_xsimd() {
  offline graph info --requires "tenon/$VERSION" -pr:a profile --format json 2>/dev/null |
    sed -nE 's|.*"ref": "xsimd/([0-9.]+).*|\1|p' | sort -u
}
installed_xsimd=$(chosen_xsimd)
for folder in ${TENON_XSIMD:-}; do add_xsimd "$folder"; done
newest_xsimd=$(chosen_xsimd)
if [ "$newest_xsimd" != "$installed_xsimd" ]; then
  quiet offline test test_package "tenon/$VERSION" -pr:a profile
fi
echo "used xsimd $installed_xsimd" "${newest_xsimd/#"$installed_xsimd"/and no other}"

# The range of versions. These packages contain the installed headers.
for version in 7.6.0 15.0.0; do add_xsimd "$XSIMD_HEADERS" --version "$version"; done
expect "release of xsimd" "$newest_xsimd" "$(chosen_xsimd)"
add_xsimd "$XSIMD_HEADERS" --version 14.99.0
expect "release of xsimd" 14.99.0 "$(chosen_xsimd)"

# refuses EXPECTED COMPILER VERSION STANDARD: this configuration is refused with these words.
refuses() {
  profile "${@:2}" >refused
  if offline install --requires "tenon/$VERSION" -pr:a refused >refused.log 2>&1; then
    fail "expected '$1'"
  fi
  grep -qF "$1" refused.log || { cat refused.log; fail "expected '$1'"; }
}
refuses "expected one of gcc 12, clang 16, apple-clang 15 or newer, got gcc 11" gcc 11 20
refuses "expected one of gcc 12, clang 16, apple-clang 15 or newer, got clang 15" clang 15 20
refuses "(17) is lower than the required C++ standard (20)" "$COMPILER" "$COMPILER_VERSION" 17

# The components with dependencies.
if [ -z "${MPI_LIBRARIES:-}" ]; then
  echo "without MPI: the components with dependencies are not tested"
  exit
fi
quiet offline export "$here/recipes/boost"
quiet offline export "$here/recipes/openmpi"
for package in eigen/3.4.0 zlib/1.3.1 tomlplusplus/3.4.0 spdlog/1.15.0 yaml-cpp/0.8.0; do
  quiet offline export "$here/recipes/stand_in" --name "${package%/*}" --version "${package#*/}"
done
cp -r "$here/consumer" consumer
sed -nE 's/^ *function\((tenon_[a-z_]+).*/\1/p' installed/usr/share/cmake/tenon/*.cmake \
  >consumer/functions.txt
quiet offline build consumer -pr:a profile --build missing
command -v pkg-config >/dev/null || exit 0
flags=$(PKG_CONFIG_PATH=$WORK/consumer pkg-config --cflags --libs tenon-{mpi,eigen,npz,config,spdlog,yaml})
for flag in "$WORK/home/" mpi -DHAS_{EIGEN,ZLIB,TOMLPLUSPLUS,SPDLOG,YAML_CPP}; do
  [[ $flags == *"$flag"* ]] || fail "expected $flag, got $flags"
done
