#!/usr/bin/env bash
# A program of failing checks must fail, with the words of each check and the number of failures.
# Usage: frameworks_test.sh PROGRAM SUMMARY [FIRST]     FIRST: it ends with the first failure
set -u
program=$1 summary=$2 only_first=${3:-}
texts=('expected "n=4", got "n=3" (axis 0: expected n=4, got n=3)')
[ -n "$only_first" ] || texts+=(
  "n=2: expected 6, got 3 (difference 3, relative 0.5; allowed 0 + 0.4 |expected|; 3 of 3 elements differ)"
  "n=0: expected a finite number, got -inf (1 of 3 elements are not finite)"
  "n=2: expected 6"
  "difference 3, relative 0.5; allowed 1e-06 + 1e-06 |expected|; 3 of 3 elements differ)")
output=$("$program" 2>&1) && { echo "expected a failure of $program, got: $output"; exit 1; }
joined=$(tr -d ' \n' <<<"$output")  # Catch2 breaks long lines, also within words
for text in "${texts[@]}" "$summary" "frameworks.cpp"; do
  [[ $joined == *"${text// /}"* ]] || { echo "$output"; echo "expected: $text"; exit 1; }
done
