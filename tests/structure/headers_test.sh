#!/usr/bin/env bash
# The check that headers compile alone must detect violations: five headers, one chain.
# Usage: WORK=folder headers_test.sh COMPILER
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$WORK/headers
rm -rf "$folder"; mkdir -p "$folder/tenon"
header() { printf '#pragma once\n%b\n' "$2" >"$folder/tenon/$1.hpp"; }
header low 'using Low = int;'
header beside 'using Beside = int;'
header forgets 'Low forgets_what_it_needs();'
header middle '#include <tenon/low.hpp>\n#include <tenon/forgets.hpp>\ninline Low middle() { return 1; }'
header top '#include <tenon/middle.hpp>\ninline Beside top() { return middle(); }'

WORK=$WORK/work bash "$here/headers.sh" "$folder" "$1" "-I$folder" -Wall >"$WORK/said.txt" 2>&1 && {
  cat "$WORK/said.txt"; echo "expected a failure, got success"; exit 1; }
for line in "failed: <tenon/forgets.hpp>" "failed: <tenon/top.hpp>" "3 passed, 2 failed"; do
  grep -qF -- "$line" "$WORK/said.txt" || { cat "$WORK/said.txt"; echo "expected: $line"; exit 1; }
done
