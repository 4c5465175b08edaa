#!/usr/bin/env bash
# tenon_add_module builds a program that imports Tenon, or says what it expected.
# Usage: WORK=FOLDER cmake.sh COMPILER; CMAKE: another cmake than that of PATH
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cmake=${CMAKE:-cmake}
configure() { "$cmake" -S "$here" -B build -DCMAKE_BUILD_TYPE=Debug "$@" >output 2>&1; }

# refused WORDS OPTION...: configuring ends with these words.
refused() {
  rm -rf build
  configure "${@:2}" && fail "expected '$1'"
  tr -s '\n ' ' ' <output | grep -q "tenon_add_module: expected $1" || fail "$(cat output)"
  echo "refused: $1"
}
version=$("$cmake" --version | sed -nE '1s/.* ([0-9]+)\.([0-9]+).*/\1 * 1000 + \2/p')
if [ $((version)) -lt 3028 ]; then
  refused "CMake 3.28 or newer, got 3" -DCMAKE_CXX_COMPILER="$clang"
  exit
fi
! command -v g++ >/dev/null ||
  refused "clang 17 or newer, got GNU" -G Ninja -DCMAKE_CXX_COMPILER=g++
! command -v make >/dev/null ||
  refused "the generator Ninja, got Unix Makefiles" \
    -G "Unix Makefiles" -DCMAKE_CXX_COMPILER="$clang"
rm -rf build
configure -G Ninja -DCMAKE_CXX_COMPILER="$clang" || {
  tr -s '\n ' ' ' <output | grep -q "clang-scan-deps of" && skip "no clang-scan-deps for $clang"
  fail "$(cat output)"
}
"$cmake" --build build >output 2>&1 || fail "$(cat output)"
build/program
