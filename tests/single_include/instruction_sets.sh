#!/usr/bin/env bash
# Two instruction sets in one program of single headers: as objects they do not link, as shared
# libraries with hidden symbols they do, and the results agree (docs/portable.md).
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skipped: not Linux on x86-64"; exit 77; }
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

compile+=(-fPIC -fvisibility=hidden -fvisibility-inlines-hidden -O1)
"${compile[@]}" -march=x86-64 -DNAME=older -c "$here/kernel.cpp" -o older.o
"${compile[@]}" -march=x86-64-v3 -DNAME=newer -c "$here/kernel.cpp" -o newer.o
"${compile[@]}" -c "$here/two_levels.cpp" -o main.o

if "$compiler" main.o older.o newer.o -pthread -o objects 2>messages; then
  fail "the objects link"
fi
grep -q tenon_objects_are_compiled_for_different_instruction_sets messages || fail "$(cat messages)"

for level in older newer; do "$compiler" -shared "$level.o" -pthread -o "lib$level.so"; done
"$compiler" main.o ./libolder.so ./libnewer.so -o libraries
grep -qw avx2 /proc/cpuinfo || { echo "skipped: this processor has no AVX2"; exit 77; }
./libraries || fail "the results of the two libraries differ"
