#!/usr/bin/env bash
# Objects for different instruction sets do not link, nor with registers by intrinsics and by xsimd;
# objects for the same ones do, and shared libraries may differ.
# levels.sh COMPILER INCLUDE_FOLDER
set -euo pipefail
compiler=$1
include=$2
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skipped: not Linux on x86-64"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for name in a b; do
  printf '#include <tenon/backend/cpu/simd/instruction_level.hpp>\nint %s() { return 1; }\n' $name >$name.cpp
done
echo 'int a(); int b(); int main() { return a() + b() - 2; }' >main.cpp
# build FLAGS...
build() { "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Werror "-I$include" "$@"; }

# does_not_link OBJECT SYMBOL OPTIONS...: with a.o; the linker names the symbol.
does_not_link() {
  if build "${@:3}" -Wl,--gc-sections main.cpp a.o "$1" -o program 2>messages; then
    echo "${*:3}: expected a link error, got a program"
    exit 1
  fi
  grep -q "$2" messages
}

# check OPTIONS...: the options for compiling and linking.
check() {
  build "$@" -march=x86-64-v3 -c a.cpp -o a.o
  build "$@" -march=x86-64-v3 -c b.cpp -o b.o
  build "$@" -march=x86-64 -c b.cpp -o older.o
  build "$@" -march=x86-64-v3 -DTENON_SIMD=xsimd -c b.cpp -o xsimd.o
  build "$@" -Wl,--gc-sections main.cpp a.o b.o -o program
  ./program
  does_not_link older.o tenon_objects_are_compiled_for_different_instruction_sets "$@"
  does_not_link xsimd.o tenon_objects_are_compiled_with_and_without_xsimd "$@"
}
check -O0
check -O2 -ffunction-sections -fdata-sections

build -march=x86-64-v3 -fPIC -shared a.cpp -o liba.so
build -march=x86-64 -fPIC -shared b.cpp -o libb.so
build main.cpp ./liba.so ./libb.so -o program
./program
