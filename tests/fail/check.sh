#!/usr/bin/env bash
# Every *.cpp of a folder must not compile, and the first line of output with "error:" must hold
# the expected words. Comment lines of the file say which:
#   // expect: words                  words of that line (several lines: all of them)
#   // expect g++: words              for one compiler only, g++ or clang++
#   // expect note: words             words of any line: those of a user's own constraint
#   // compiler: g++                  the file is for that compiler only
#   // shown in: README.md            with g++, that line stands in this document as it is
#   // expect-success                 the file must compile: the control
# Usage: WORK=folder check.sh FOLDER COMPILER FLAGS...      two compilers run at a time
set -u
export LC_ALL=C

check_file() {
  local file=$1 expected missing="" line
  local compiler="^// compiler: "
  if grep -q "$compiler" "$file" && ! grep -qF "// compiler: $FAMILY" "$file"; then return 0; fi
  local output="$WORK/$(basename "$file").txt"
  if $COMMAND "$file" >"$output" 2>&1; then
    grep -q '^// expect-success' "$file" && { echo "passed"; return 0; }
    echo "failed: $file compiles"; return 0
  fi
  line=$(grep -m1 -E '(^|[: ])error: ' "$output")
  if grep -q '^// expect-success' "$file"; then
    echo "failed: $file does not compile: $line"; return 0
  fi
  expected=$(sed -nE "s|^// expect( ${FAMILY//+/\\+})?: ||p" "$file")
  if [ -z "$expected" ]; then echo "failed: $file has no line '// expect: words'"; return 0; fi
  while IFS= read -r words; do
    [[ $line == *"$words"* ]] || missing="$missing\n    expected: $words"
  done <<<"$expected"
  while IFS= read -r words; do
    grep -qF -- "$words" "$output" || missing="$missing\n    expected in a note: $words"
  done < <(sed -n 's|^// expect note: ||p' "$file")
  local document=$(sed -n 's|^// shown in: ||p' "$file")
  if [ "$FAMILY" = g++ ] && [ -n "$document" ] && ! grep -qF -- "error:${line#*error:}" "$ROOT/$document"
  then missing="$missing\n    expected: the same line in $document"; fi
  if [ -n "$missing" ]; then
    printf 'failed: %s%b\n    got: %s\n' "$file" "$missing" "${line:-no error line}"
  else echo "passed"; fi
}

# Results go to files: two of them would mix in a pipe.
if [ "${1:-}" = --file ]; then check_file "$2" >"$WORK/$(basename "$2").result"; exit; fi

folder=$1; compiler=$2; shift 2
mkdir -p "$WORK"; rm -f "$WORK"/*.txt "$WORK"/*.result
FAMILY=g++; "$compiler" --version | grep -qi clang && FAMILY=clang++
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
COMMAND="$compiler -std=c++20 -fsyntax-only $*"
export WORK FAMILY ROOT

# Most files read the umbrella: it is compiled once.
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

find "$folder" -maxdepth 1 -name '*.cpp' -print0 | sort -z |
  xargs -0 -r -n 1 -P 2 bash "${BASH_SOURCE[0]}" --file
results=$(cat "$WORK"/*.result)
grep -v '^passed$' <<<"$results"
passed=$(grep -c '^passed$' <<<"$results")
failed=$(grep -c '^failed' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
