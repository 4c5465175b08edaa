#!/usr/bin/env bash
# The check must detect violations: nine files.
# Usage: WORK=folder check_test.sh COMPILER
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
files=$WORK/files
rm -rf "$files"; mkdir -p "$files"
printf '// expect: nothing_of_that_name\nint a = nothing_of_that_name;\n' >"$files/right.cpp"
printf '// expect: nothing\n// expect note: other words\nint a = nothing_of_that_name;\n' >"$files/no_note.cpp"
printf '// expect: nothing\n// expect within 1: nothing_of_that\n// expect lines: 9\nint a = nothing_of_that_name;\n' \
  >"$files/short.cpp"
printf '// expect: nothing\n// expect within 1: int a =\nint a = nothing_of_that_name;\n' >"$files/late.cpp"
printf '// expect: nothing\n// expect lines: 1\nint a = nothing_of_that_name;\n' >"$files/long.cpp"
printf '// expect: some other words\nint a = nothing_of_that_name;\n' >"$files/wrong_words.cpp"
printf '// expect: nothing_of_that_name\nint a = 1;\n' >"$files/compiles.cpp"  # others do not
printf 'int a = nothing_of_that_name;\n' >"$files/no_words.cpp"
printf '// expect-success\nint a = nothing_of_that_name;\n' >"$files/control.cpp"

NO_UMBRELLA=1 WORK=$WORK/work bash "$here/check.sh" "$files" "$1" >"$WORK/said.txt" && {
  cat "$WORK/said.txt"; echo "expected a failure, got success"; exit 1; }
for line in "failed: $files/wrong_words.cpp" "    expected: some other words" \
  "failed: $files/no_note.cpp" "    expected in a note: other words" \
  "failed: $files/late.cpp" "    expected in the first 1 lines: int a =" \
  "failed: $files/long.cpp" "    expected: 1 lines, got" \
  "failed: $files/compiles.cpp compiles" "has no line '// expect: words'" \
  "failed: $files/control.cpp does not compile" "2 passed, 7 failed"; do
  grep -qF -- "$line" "$WORK/said.txt" || { cat "$WORK/said.txt"; echo "expected: $line"; exit 1; }
done
