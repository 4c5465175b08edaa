#!/usr/bin/env bash
# What CMake finds and says: all components, each missing one, unknown ones, a quiet search, targets
# that the project has already. Nothing is compiled.
# MPI is searched where it matters: CMake compiles two programs for that each time.
# Usage: WORK=folder search_test.sh ROOT COMPILER
set -uo pipefail
root=$1 compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$WORK" && mkdir -p "$WORK"
failed=0

without_mpi=-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
without_module=-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON  # of C++20: a script writes it
folder=("-DFOLDER=$root" "$without_mpi")
options=("-DCMAKE_CXX_COMPILER=$compiler")
if ! { cmake -S "$root" -B "$WORK/tenon" "${options[@]}" -DTENON_TESTS=OFF -DTENON_EXAMPLES=OFF \
  -DTENON_BENCH=OFF "$without_mpi" "$without_module" -DCMAKE_INSTALL_PREFIX="$WORK/prefix" &&
  cmake --install "$WORK/tenon"; } \
  >"$WORK/install.txt" 2>&1; then
  cat "$WORK/install.txt"; exit 1
fi

# The compiler is examined once, and a search begins with what CMake knows of it, unless the language or
# the system is another.
cmake -S "$here/search" -B "$WORK/search" -DSEARCH_LANGUAGES=CXX -DONLY_COMPILER=ON "${options[@]}" \
  >"$WORK/output.txt" 2>&1 || { cat "$WORK/output.txt"; exit 1; }
mv "$WORK/search" "$WORK/examined"

# search STATUS OPTIONS...: configures the project; it must end with this status.
search() {
  local status=$1
  shift
  rm -rf "$WORK/search"
  [[ $* == *-DSEARCH_LANGUAGES* || $* == *-DCMAKE_SYSTEM* ]] || cp -r "$WORK/examined" "$WORK/search"
  cmake -S "$here/search" -B "$WORK/search" -DONLY_COMPILER=OFF -DSEARCH_LANGUAGES=CXX -DSPELLING=tenon \
    "-DCMAKE_PREFIX_PATH=$WORK/prefix" "${options[@]}" "$@" >"$WORK/output.txt" 2>&1
  local got=$?
  [ "$((got != 0))" = "$status" ] || wrong "expected the status $status, got $got" "$@"
}

wrong() {
  failed=1
  echo "$1, with: ${*:2}"
  sed 's/^/    /' "$WORK/output.txt"
}

# says TEXT, says_not TEXT: in the output of the search, in which lines may be broken.
flat() { tr '\n' ' ' <"$WORK/output.txt" | tr -s ' '; }
says() { flat | grep -qF -- "$1" || wrong "expected '$1'"; }
says_not() { ! flat | grep -qF -- "$1" || wrong "did not expect '$1'"; }

without_eigen=-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON
without_xsimd=-DCMAKE_DISABLE_FIND_PACKAGE_xsimd=ON
mpi="expected MPI and Boost.MPI, got no target"
eigen="expected Eigen 3.4 or newer, got no target Eigen3::Eigen"
all="expected one of compiled, config, cuda, eigen, metal, mpi, npz, onnx, opencl, spdlog, testing, train, yaml"

# The package, and what it needs.
for spelling in tenon Tenon; do
  search 0 -DSPELLING=$spelling -DKIND=REQUIRED
  says "found: 1"
  for target in tenon compiled cuda metal onnx opencl testing train; do says "target: tenon::$target"; done
  says_not "target: tenon::mpi"
done
# xsimd is needed where it is used: on other processors than x86-64, or by TENON_SIMD.
with_simd=-DTENON_SIMD=xsimd
for how in -DKIND=REQUIRED "${folder[*]}"; do
  if [ "$(uname -m)" = x86_64 ]; then
    search 0 $how "$without_xsimd" && says "target: tenon::tenon"
  fi
  search 1 $how "$without_xsimd" $with_simd && says "tenon: expected xsimd 8.1 or newer, got none"
  search 1 $how "$without_xsimd" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
  says "tenon: expected xsimd 8.1 or newer, got none"
  search 1 $how -DTENON_SIMD=eigen && says "tenon: expected TENON_SIMD to be xsimd or empty, got eigen"
  says_not "TENON_FETCH"
  search 0 $how "$without_xsimd" $with_simd -DXSIMD_TARGET=ON && says "target: tenon::tenon"
  says "definitions: TENON_SIMD=xsimd"
done
search 0 -DKIND=QUIET "$without_xsimd" $with_simd && says "found: 0" && says_not "expected"

# Each missing component: required, optional, in a quiet search, in a folder.
search 1 -DKIND=REQUIRED -DCOMPONENTS=mpi "$without_mpi" && says "tenon: component 'mpi': $mpi"
search 1 -DKIND=REQUIRED -DCOMPONENTS=eigen "$without_eigen" && says "tenon: component 'eigen': $eigen"
search 0 "-DKIND=REQUIRED;OPTIONAL_COMPONENTS;eigen" -DCOMPONENTS=train "$without_eigen"
says "found: 1" && says "target: tenon::train" && says "tenon: no component 'eigen': $eigen"
search 0 -DKIND=QUIET "-DCOMPONENTS=mpi;eigen" "$without_mpi" "$without_eigen"
says "found: 0" && says_not "expected" && says_not "target: tenon::mpi"
search 0 "${folder[@]}" "$without_eigen"
says "tenon: no tenon::mpi: $mpi" && says "tenon: no tenon::eigen: $eigen"
says "target: tenon::tenon" && says_not "target: tenon::mpi"

missing() {  # NAME NEEDS PACKAGE
  search 1 -DKIND=REQUIRED "-DCOMPONENTS=$1" "-DCMAKE_DISABLE_FIND_PACKAGE_$3=ON"
  says "tenon: component '$1': expected $2, got no target"
}
missing npz zlib ZLIB
missing config toml++ tomlplusplus
missing spdlog spdlog spdlog
missing yaml "yaml-cpp and toml++" yaml-cpp

# A package beside a folder, in either order; a project without C++.
search 0 "-DFOLDER=$root" -DKIND=REQUIRED "-DCOMPONENTS=mpi;eigen"
search 0 "-DFOLDER=$root" -DPACKAGE_BEFORE_FOLDER=ON && says "the target tenon::tenon exists already"
search 0 -DKIND=REQUIRED -DSEARCH_LANGUAGES=C && says "found: 1" && says_not "target: tenon::compiled"
search 1 -DKIND=REQUIRED -DCOMPONENTS=compiled -DSEARCH_LANGUAGES=C
says "tenon: component 'compiled': expected the language CXX"
search 0 -DKIND=QUIET -DSEARCH_LANGUAGES=NONE && says "found: 0"
for how in -DKIND=REQUIRED "${folder[*]}"; do
  search 0 $how "$without_xsimd" -DXSIMD_TARGET=ALIAS && says "target: tenon::tenon"
done

# Unknown components are reported with the known ones.
search 1 -DKIND=REQUIRED "-DCOMPONENTS=train;quantum" && says "tenon: component 'quantum': $all"
search 0 -DKIND=QUIET -DCOMPONENTS=quantum && says "found: 0" && says_not "expected"

# xsimd is downloaded only with TENON_FETCH, here from a folder.
mkdir -p "$WORK/xsimd" && echo 'add_library(xsimd INTERFACE)' >"$WORK/xsimd/CMakeLists.txt"
from=-DFETCHCONTENT_SOURCE_DIR_XSIMD=$WORK/xsimd
search 1 "${folder[@]}" "$without_xsimd" "$from" $with_simd && says "-DTENON_FETCH=ON downloads xsimd"
search 0 "${folder[@]}" "$without_xsimd" "$from" $with_simd -DTENON_FETCH=ON && says "target: tenon::tenon"

# As a folder, Tenon installs nothing of its own, unless TENON_INSTALL is set.
search 0 "${folder[@]}" && cmake --install "$WORK/search" --prefix "$WORK/nothing" >/dev/null
[ ! -e "$WORK/nothing" ] || wrong "expected nothing to be installed" "$(find "$WORK/nothing" | head -3)"
search 0 "${folder[@]}" -DTENON_INSTALL=ON "$without_module" &&
  cmake --install "$WORK/search" --prefix "$WORK/all" >/dev/null
[ -e "$WORK/all/share/cmake/tenon/tenon-config.cmake" ] || wrong "expected the package to be installed"

exit $failed
