#!/usr/bin/env bash
# Compiles and runs program.cpp with a standard library that has std::format: WORK=folder test.sh
# COMPILER FLAGS. Skipped where neither the compiler's library, nor that of another compiler here,
# nor a libc++ that .ci/compilers unpacked has it.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
unpacked=$here/../../build/compilers
compiler=$1
shift
mkdir -p "$WORK"
cd "$WORK" || exit
printf '#include <version>\n#ifndef __cpp_lib_format\n#error none\n#endif\n' >has_format.cpp

# attempt COMPILER [FLAG...]: whether its library has std::format; then the test runs and exits.
# $libraries are linked last.
attempt() {
  command -v "$1" >/dev/null || return 0
  "$@" -std=c++20 -fsyntax-only has_format.cpp 2>/dev/null || return 0
  "$@" -std=c++20 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror "${flags[@]}" \
    "$here/program.cpp" -o program -pthread ${libraries:-} && ./program && echo "passed: $*"
  exit
}

flags=("$@")
attempt "$compiler"
for version in 15 14 13; do attempt "g++-$version"; done
for version in {22..16}; do attempt "clang++-$version"; done
for version in {22..17}; do
  attempt "clang++-$version" -stdlib=libc++
  own=$unpacked/libc++-$version/usr/lib/llvm-$version
  libraries="$own/lib/libc++.a $own/lib/libc++abi.a"
  attempt "clang++-$version" -nostdinc++ -nostdlib++ -isystem "$own/include/c++/v1"
  libraries=
done
echo "skipped: no standard library here has std::format"
exit 77
