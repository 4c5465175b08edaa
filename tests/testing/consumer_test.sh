#!/usr/bin/env bash
# The tests of a user's project are built with the installed package and run: checks, files that must
# not compile (two of these are wrong on purpose and must be reported), ranks.
# Usage: WORK=folder consumer_test.sh ROOT COMPILER
set -euo pipefail
root=$1 compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$WORK" && mkdir -p "$WORK" && cd "$WORK"
run() { "$@" >output.txt 2>&1 || { cat output.txt; exit 1; }; }
with="-DCMAKE_CXX_COMPILER=$compiler"
run cmake -S "$root" -B tenon "$with" -DTENON_TESTS=OFF -DTENON_EXAMPLES=OFF -DTENON_BENCH=OFF
run cmake --install tenon --prefix "$WORK/prefix"
run cmake -S "$here/consumer" -B build "$with" "-DCMAKE_PREFIX_PATH=$WORK/prefix"
run cmake --build build

# What ctest reports, without numbers and times.
ctest --test-dir build >output.txt 2>&1 || true
got=$(sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.+\**(Passed|Failed|   Passed).*/\1 \2/p' output.txt | tr -s ' ')
expected="energy Passed
must_not_compile.wrong_axis.cpp Passed
must_not_compile.energy_test.cpp Failed
must_not_compile.wrong_words.cpp Failed"
if [ -x build/test_ranks ]; then expected+=$'\nranks.2 Passed\nranks.1 Passed'; fi
[ "$got" = "$expected" ] || { diff <(echo "$expected") <(echo "$got"); cat build/Testing/Temporary/LastTest.log; exit 1; }
for text in "expected an error, but" "expected the first error to contain 'another error'"; do
  grep -qF "$text" build/Testing/Temporary/LastTest.log || { echo "expected '$text'"; exit 1; }
done
if [ -x build/test_ranks ]; then
  grep -qF "skipped: a sum over two ranks: expected 2 ranks, got 1" build/Testing/Temporary/LastTest.log
fi
