#!/usr/bin/env bash
# scripts/coverage_by_layer adds the lines of each layer, and fails below the minimum.
set -euo pipefail
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/coverage_by_layer
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# file PATH LINES RUN: an entry of a summary of llvm-cov.
file() {
  printf '{"filename": "%s", "summary": {"lines": {"count": %d, "covered": %d}}}' \
    "$folder/$1" "$2" "$3"
}
printf '{"data": [{"files": [%s, %s, %s, %s]}]}' "$(file include/core/a.hpp 10 10)" \
  "$(file include/core/b.hpp 30 28)" "$(file include/op/c.hpp 60 30)" \
  "$(file tests/d.cpp 100 0)" >"$folder/summary"

# expect LINE: $said contains this line.
expect() {
  grep -qxF -- "$1" <<<"$said" || { printf 'expected: %s, got:\n%s\n' "$1" "$said"; exit 1; }
}

said=$("$script" "$folder/summary" "$folder/include" 68)
expect "core                                  40 lines   95.0 %"
expect "op                                    60 lines   50.0 %"
expect "all                                  100 lines   68.0 %"
expect "    30 of 60 lines of op/c.hpp were not run"
if said=$("$script" "$folder/summary" "$folder/include" 69 2>&1); then exit 1; fi
expect "coverage: expected 69 %, got 68.0 %"

said=$("$script" "$folder/summary" "$folder/include" 95 core)
expect "all                                   40 lines   95.0 %"
if grep -q "^op" <<<"$said"; then echo "a layer that was not named is listed"; exit 1; fi
if said=$("$script" "$folder/summary" "$folder/other" 90 2>&1); then exit 1; fi
expect "coverage: expected files of $folder/other in $folder/summary, got none"
