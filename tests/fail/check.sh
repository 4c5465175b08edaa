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
# Usage: WORK=folder check.sh FOLDER COMPILER FLAGS...      two compilations at a time
#
# Starting a compiler takes longer than finding a mistake: several files are compiled together, each
# in its own namespace. Files that do not pass in this way are compiled alone, which decides.
set -u
export LC_ALL=C

# The prefix of the results of a file: its path below the folder, with dots for slashes.
result_path() { local path=${1#"$FOLDER"/}; echo "$WORK/${path//\//.}"; }

expected_of() { sed -nE "s|^// expect( ${FAMILY//+/\\+})?: ||p" "$1"; }

# True if a file has expectations of the whole output.
stands_alone() { grep -qE '^// (expect (note|within [0-9]+|lines( [gcl]+[+]{2})?)|shown in|compiler): |^// expect-success' "$1"; }

# The first error of each file in an output, as "file<tab>line"; "?" if the file of an error is
# unknown. An error in a header belongs to the file through which the header is reached: g++ prints
# it before the error, clang after it, and neither repeats it for another error that is reached in
# the same way.
first_errors() {
  awk -v family="$FAMILY" -v files="$*" '
    function own(file, line) { if (!(file in first)) first[file] = line }
    BEGIN { count = split(files, names, " ") }
    {
      at = ""
      for (i = 1; i <= count && at == ""; i++) if (index($0, names[i] ":") == 1) at = names[i]
      if (at != "") last = at
      if (at != "" && waiting != "") { own(at, waiting); waiting = "" }
    }
    /(^|[: ])error: / {
      if (waiting != "" && last == "") lost = 1
      waiting = ""
      if (at != "" || (family == "g++" && last != "")) own(last, $0)
      else if (family == "g++") lost = 1
      else waiting = $0
    }
    END {
      if (lost) print "?"
      else for (file in first) print file "\t" first[file]
    }'
}

# Writes "passed" for the files that certainly pass.
check_together() {
  local file line words together=() number=0 text
  text=$(result_path "$1").together.cpp
  for file in "$@"; do stands_alone "$file" || together+=("$file"); done
  [ ${#together[@]} -gt 1 ] || return
  { grep -h '^#include' "${together[@]}" | sort -u
    for file in "${together[@]}"; do
      printf 'namespace file_%d {\n#line 1 "%s"\n' $((number++)) "$file"
      sed 's|^#include.*||' "$file"
      echo "}"
    done; } >"$text"
  local unlimited=-fmax-errors=0
  [ "$FAMILY" = g++ ] || unlimited=-ferror-limit=0
  while IFS=$'\t' read -r file line; do
    while IFS= read -r words; do
      [ -n "$words" ] && [[ $line == *"$words"* ]] || continue 2
    done <<<"$(expected_of "$file")"
    echo "passed" >"$(result_path "$file").result"
  done < <($COMMAND $unlimited "$text" 2>&1 | first_errors "${together[@]}" | grep -v '^?')
}

check_file() {
  local file=$1 expected missing="" line count words
  local compiler="^// compiler: "
  if grep -q "$compiler" "$file" && ! grep -qF "// compiler: $FAMILY" "$file"; then return 0; fi
  local output="$(result_path "$file").txt"
  if $COMMAND "$file" >"$output" 2>&1; then
    grep -q '^// expect-success' "$file" && { echo "passed"; return 0; }
    echo "failed: $file compiles"; return 0
  fi
  line=$(grep -m1 -E '(^|[: ])error: ' "$output")
  if grep -q '^// expect-success' "$file"; then
    echo "failed: $file does not compile: $line"; return 0
  fi
  expected=$(expected_of "$file")
  if [ -z "$expected" ]; then echo "failed: $file has no line '// expect: words'"; return 0; fi
  while IFS= read -r words; do
    [[ $line == *"$words"* ]] || missing="$missing\n    expected: $words"
  done <<<"$expected"
  while IFS= read -r words; do
    grep -qF -- "$words" "$output" || missing="$missing\n    expected in a note: $words"
  done < <(sed -n 's|^// expect note: ||p' "$file")
  while read -r count words; do
    head -n "$count" "$output" | grep -qF -- "$words" ||
      missing="$missing\n    expected in the first $count lines: $words"
  done < <(sed -nE 's|^// expect within ([0-9]+): |\1 |p' "$file")
  count=$(sed -nE "s#^// expect lines( ${FAMILY//+/\\+})?: ##p" "$file")
  if [ -n "$count" ] && [ "$(wc -l <"$output")" -gt "$count" ]; then
    missing="$missing\n    expected: $count lines, got $(wc -l <"$output")"
  fi
  local document=$(sed -n 's|^// shown in: ||p' "$file")
  if [ "$FAMILY" = g++ ] && [ -n "$document" ] && ! grep -qF -- "error:${line#*error:}" "$ROOT/$document"
  then missing="$missing\n    expected: the same line in $document"; fi
  if [ -n "$missing" ]; then
    printf 'failed: %s%b\n    got: %s\n' "$file" "$missing" "${line:-no error line}"
  else echo "passed"; fi
}

# Results are written to files, as the output of two processes would interleave in a pipe.
if [ "${1:-}" = --files ]; then
  shift
  check_together "$@"
  for file in "$@"; do
    result=$(result_path "$file").result
    [ -f "$result" ] || check_file "$file" >"$result"
  done
  exit
fi

FOLDER=${1%/}; compiler=$2; shift 2
mkdir -p "$WORK"; rm -f "$WORK"/*.txt "$WORK"/*.result "$WORK"/*.together.cpp
FAMILY=g++; "$compiler" --version | grep -qi clang && FAMILY=clang++
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
COMMAND="$compiler -std=c++20 -fsyntax-only $*"
# g++ loses the disabled warnings of a precompiled header, unless it is a system header.
[ "$FAMILY" = clang++ ] || COMMAND="$COMMAND -Wno-invalid-offsetof"
export WORK FAMILY ROOT FOLDER

# Most files include the umbrella header: it is precompiled once.
umbrella=$ROOT/include/tenon/tenon.hpp
if [ -f "$umbrella" ] && [ -z "${NO_UMBRELLA:-}" ]; then
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
find "$FOLDER" -name '*.cpp' -print0 | grep -zv "$skipped" | sort -z |
  xargs -0 -r -n 16 -P 2 bash "${BASH_SOURCE[0]}" --files
results=$(cat "$WORK"/*.result)
grep -v '^passed$' <<<"$results"
passed=$(grep -c '^passed$' <<<"$results")
failed=$(grep -c '^failed' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
