#!/usr/bin/env bash
# gdb prints the variables of program.cpp as its comments say: WORK=folder test.sh "COMPILER..."
# FLAGS
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
printers=$here/../../scripts/debugger/tenon_printers.py
comment='s|^ *// ([a-z_.]+: .*)|\1|p'
read -ra compilers <<<"$1"
shift

skip() { echo "skipped: $*"; exit 77; }
command -v gdb >/dev/null || skip "no gdb"
gdb -nx -batch -ex 'python import dataclasses; from math import prod' 2>&1 | grep -q . &&
  skip "gdb has no Python 3.8"
mkdir -p "$WORK"
sed -nE "$comment" "$here/program.cpp" >"$WORK/expected"
[ -s "$WORK/expected" ] || { echo "program.cpp has no comments"; exit 1; }
# What the page shows is printed for the same names.
awk '/^\(gdb\) print / { name = $3 } /^\$[0-9]+ = / { sub(/^[^=]*= /, ""); print name ": " $0 }' \
  "$here/../../docs/debugging.md" | sort >"$WORK/shown"
[ -s "$WORK/shown" ] || { echo "docs/debugging.md shows nothing"; exit 1; }
sort "$WORK/expected" | comm -23 "$WORK/shown" - | grep . &&
  { echo "is shown and not tested"; exit 1; }

# check COMPILER FLAGS...
check() {
  local program
  program=$WORK/$(basename "$1")
  "$1" -std=c++20 -g -O0 "$here/program.cpp" -o "$program" -pthread "${@:2}" || return
  "$program" >"$program.described" || return
  PYTHONDONTWRITEBYTECODE=1 gdb -nx -batch -ex 'set disable-randomization off' -ex 'set width 0' \
    -ex "source $printers" -ex "source $here/print.py" "$program" >"$program.output" 2>&1
  grep -qiE 'ptrace: Operation not permitted|Could not trace' "$program.output" &&
    skip "gdb may not trace a process here"
  compare "$program"
}

# compare PROGRAM: what gdb printed with the comments, and both with what the program computed.
compare() {
  grep -E '^[a-z_.]+: ' "$1.output" | grep -vE '^(warning|process)' >"$1.printed"
  diff "$WORK/expected" "$1.printed" || { tail -5 "$1.output"; return 1; }
  while read -r line; do
    grep -qF -- "$line" "$WORK/expected" && continue
    grep -q "^${line%%:*}: " "$WORK/expected" || continue
    echo "the library computes another shape: $line"
    return 1
  done <"$1.described"
}

failed=0
for compiler in "${compilers[@]}"; do
  check "$compiler" "$@" || { failed=1; continue; }
  echo "$(wc -l <"$WORK/expected") variables by $(basename "$compiler")"
done
exit $failed
