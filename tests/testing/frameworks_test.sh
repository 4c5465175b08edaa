#!/usr/bin/env bash
# The same checks in programs of doctest, Catch2, GoogleTest and no framework: two of them fail, and
# are reported with file, line and text. Frameworks that are not installed are left out.
# Usage: WORK=folder frameworks_test.sh COMPILER FLAGS...
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=$1; shift
mkdir -p "$WORK" && cd "$WORK" || exit
failed=0
close='CHECK_CLOSE(x, x + 1.0f, 0.25): expected 2, got 1 at row=0 column=0: the difference is 1, at most 0.25 + 0.25 |expected| is allowed (1 of 2 elements differ)'
finite='CHECK_FINITE(x / 0.0f): expected finite numbers, got inf at row=0 column=0 (2 of 2 are not finite)'

has() { printf '#include <%s>\n' "$1" | "$compiler" -std=c++20 "${@:2}" -fsyntax-only -x c++ - 2>/dev/null; }

# report FRAMEWORK TEXTS...: each text stands in the output, in which lines may be broken.
report() {
  local text output
  output=$(tr -s ' \n' ' ' <"$1.txt")
  for text in "${@:2}"; do
    grep -qF -- "$text" <<<"$output" || { echo "$1: expected '$text', got:"; cat "$1.txt"; failed=1; }
  done
  local count
  count=$(grep -oE 'CHECK_[A-Z]+\([^:]*\): expected' <<<"$output" | sort -u | wc -l)
  [ "$count" = $(($# - 1)) ] || { echo "$1: expected $(($# - 1)) failures, got $count"; failed=1; }
}

for framework in doctest catch2 gtest none; do
  libraries=()
  case $framework in
    catch2) has catch2/catch_test_macros.hpp "$@" && libraries=(-lCatch2Main -lCatch2)
            has catch2/catch_all.hpp "$@" || has catch2/catch.hpp "$@" || { echo "skipped: Catch2 is not installed"; continue; } ;;
    gtest) libraries=(-lgtest); has gtest/gtest.h "$@" || { echo "skipped: GoogleTest is not installed"; continue; } ;;
  esac
  if ! "$compiler" -std=c++20 -O0 "$@" "$here/frameworks/$framework.cpp" -o $framework -pthread \
    "${libraries[@]}" 2>"$framework.txt"; then
    echo "$framework: does not compile"; cat "$framework.txt"; failed=1; continue
  fi
  ./$framework >"$framework.txt" 2>&1 && { echo "$framework: expected failures"; failed=1; }
  case $framework in
    none) report none "$close" ;;  # the first failure ends the program
    *) report $framework "$close" "$finite" ;;
  esac
  grep -qE 'checks\.hpp(:|\()10' $framework.txt || { echo "$framework: expected the line 10"; cat "$framework.txt"; failed=1; }
  echo "passed: $framework"
done
exit $failed
