#!/usr/bin/env bash
# Every *.cpp below a folder must not compile, and the first line of output with "error:" must
# contain the expected text. Comment lines of the file specify it:
#   // expect: words                  text of that line (several lines: all of them)
#   // expect g++: words              for one compiler only, g++ or clang++
#   // expect note: words             text of any line: that of a user's own constraint
#   // expect within 3: words         text of one of the first 3 lines of the whole output
#   // expect lines: 12               the whole output has no more lines (or `expect lines g++: 20`)
#   // compiler: g++                  the file is for that compiler only
#   // shown in: README.md            with g++, that line is quoted in this document
#   // expect-success                 the file must compile: the control
#   // alone: reason                  the file is not compiled together with others
# Usage: WORK=folder check.sh FOLDER COMPILER FLAGS...      two compilations at a time
#
# Starting a compiler takes longer than finding a mistake: about 32 files with the same headers are
# compiled together (runs.awk, join.awk), and the output is cut into the parts of the files
# (judge.awk). Files that do not pass in this way are compiled alone, which decides: with ALONE=no
# they fail.
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

judge() { awk -v FAMILY="$FAMILY" -v ROOT="$ROOT" "${@:1:2}" -f "$here/judge.awk" "${@:3}"; }

# Prints the files that certainly pass.
check_together() {
  local text=$WORK/$run.together.cpp unlimited=-ferror-limit=0
  [ "$FAMILY" = clang++ ] || unlimited=-fmax-errors=0
  awk -f "$here/join.awk" "$@" >"$text"
  $COMMAND $unlimited "$text" >"$WORK/$run.txt" 2>&1
  judge -v joint=1 "$@" "$WORK/$run.txt"
}

check_alone() {
  local path=${1#"$FOLDER"/}
  local output=$WORK/${path//\//.}.txt
  [ "${ALONE:-}" != no ] || { echo "failed: $1 together with others"; return; }
  $COMMAND "$1" >"$output" 2>&1
  judge -v status=$? "$1" "$output"
}

# Results are written to files, as the output of two processes would interleave in a pipe.
if [ "${1:-}" = --run ]; then
  shift
  run=$$ passed=$'\n'
  [ $# -eq 1 ] || passed=$'\n'$(check_together "$@")$'\n'
  for file in "$@"; do
    if [[ $passed == *$'\n'"$file"$'\n'* ]]; then echo "passed"; else check_alone "$file"; fi
  done >"$WORK/$run.result"
  exit
fi

FOLDER=${1%/}; compiler=$2; shift 2
mkdir -p "$WORK"; rm -f "$WORK"/*.txt "$WORK"/*.result "$WORK"/*.together.cpp
FAMILY=g++; "$compiler" --version | grep -qi clang && FAMILY=clang++
ROOT=${CHECK_ROOT:-$(cd "$here/../.." && pwd)}
COMMAND="$compiler -std=c++20 -fsyntax-only $*"
# g++ loses the disabled warnings of a precompiled header, unless it is a system header.
[ "$FAMILY" = clang++ ] || COMMAND="$COMMAND -Wno-invalid-offsetof"
export WORK FAMILY ROOT FOLDER

# Most files include the umbrella header: it is precompiled once.
umbrella=$ROOT/include/tenon/tenon.hpp
if [ -f "$umbrella" ]; then
  if [ "$FAMILY" = g++ ]; then
    cp "$umbrella" "$WORK/umbrella.hpp"
    "$compiler" -std=c++20 "$@" -x c++-header "$umbrella" -o "$WORK/umbrella.hpp.gch" 2>/dev/null &&
      COMMAND="$COMMAND -include $WORK/umbrella.hpp"
  else
    "$compiler" -std=c++20 "$@" -x c++-header "$umbrella" -o "$WORK/umbrella.pch" 2>/dev/null &&
      COMMAND="$COMMAND -include-pch $WORK/umbrella.pch"
  fi
fi
export COMMAND

skipped='.^'  # matches nothing
if [[ " $* " == *" -DTENON_WITHOUT_EIGEN "* ]]; then
  skipped='/eigen/'
  echo "skipped: no Eigen here for $FOLDER/eigen"
fi
if [[ " $* " == *" -DTENON_WITHOUT_ZLIB "* ]]; then
  skipped="$skipped\|/io/npz_"
  echo "skipped: no zlib here for $FOLDER/io/npz_*"
fi
if [[ " $* " == *" -DTENON_WITHOUT_TRAIN_LIBRARIES "* ]]; then
  skipped="$skipped\|/train/config_\|/train/yaml_\|/train/spdlog_"
  echo "skipped: configuration of $FOLDER/train"
fi
find "$FOLDER" -name '*.cpp' | grep -v "$skipped" | sort |
  awk -v many=32 -v FAMILY="$FAMILY" -v FOLDER="$FOLDER" -f "$here/runs.awk" |
  xargs -L 1 -P "${JOBS:-2}" bash "${BASH_SOURCE[0]}" --run
results=$(cat "$WORK"/*.result)
grep -v '^passed$' <<<"$results"
passed=$(grep -c '^passed$' <<<"$results")
failed=$(grep -c '^failed' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
