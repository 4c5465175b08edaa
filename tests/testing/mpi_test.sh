#!/usr/bin/env bash
# Failures of every rank are printed by rank 0, and fail the program; tests for more ranks are skipped.
# Usage: mpi_test.sh PROGRAM LAUNCHER...     LAUNCHER: mpirun -n
set -u
program=$1; shift
expect() { grep -qF -- "$1" <<<"$output" || { echo "$output"; echo "expected: $1"; exit 1; }; }
output=$("$@" 3 "$program" 2>&1) || { echo "$output"; exit 1; }
expect "skipped: expected 64 ranks or more, got 3"
output=$("$@" 3 "$program" -tc=fails --no-skip 2>&1) && { echo "$output"; echo "expected a failure"; exit 1; }
collected=$(sed -n '/failures of all ranks:/,$p' <<<"$output")
for rank in 1 2; do
  grep -q "rank $rank.*expected 0, got $rank (difference" <<<"$collected" ||
    { echo "$output"; echo "expected the failure of rank $rank"; exit 1; }
done
