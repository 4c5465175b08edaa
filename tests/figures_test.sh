#!/usr/bin/env bash
# bench/figures reports which goals a file of figures meets, and the changes between two of them.
set -euo pipefail
figures=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/bench/figures
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'exp\tEigen\t2\ntanh\tEigen\t0.5\ncompile expression by g++\tbases\t3\n' >"$folder/before"
printf 'exp\tEigen\t1\ntanh\tEigen\t0.51\ncompile expression by g++\tbases\t2\n' >"$folder/after"

# expect WORDS...: one line of $said contains the words in this order.
expect() {
  local pattern
  pattern=$(printf '%s.*' "$@")
  grep -q "$pattern" <<<"$said" || { printf 'expected: %s, got:\n%s\n' "$*" "$said"; exit 1; }
}

said=$("$figures" goals "$folder/before")
expect exp Eigen ">= 1.7" 2 met
expect tanh Eigen ">= 1" 0.5 missed
expect "compile expression by g++" bases "<= 3.2" 3 met
expect erf Eigen - "not measured"
expect "2 met, 1 missed"

said=$("$figures" moved "$folder/before" "$folder/after")
expect exp Eigen 2 1 worse
expect "compile expression by g++" bases 3 2 better
if grep -q tanh <<<"$said"; then echo "tanh changed by only 2 % and is listed"; exit 1; fi

cp "$folder/before" "$folder/kept"
if said=$("$figures" measure "$folder" "$folder/kept" 2>&1); then exit 1; fi
expect "expected programs bench_\* in" "got none"
cmp "$folder/before" "$folder/kept"
