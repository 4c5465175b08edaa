#!/usr/bin/env bash
# Every header compiles alone, without warnings.
# Usage: WORK=folder headers.sh INCLUDE_FOLDER COMPILER FLAGS...     two compilers run at a time
set -u
export LC_ALL=C

check_header() {
  local text="$WORK/${2//\//.}.txt"
  echo "#include <$2>" | $COMMAND -x c++ - >"$text" 2>&1 && { echo "passed"; return; }
  echo "failed: <$2>"; grep -m3 -E 'error:' "$text" | sed 's/^/    /'
}

# Results go to files: two of them would mix in a pipe.
if [ "$1" = --header ]; then check_header "$@" >"$WORK/${2//\//.}.result"; exit; fi

folder=$1; compiler=$2; shift 2
mkdir -p "$WORK"; rm -f "$WORK"/*.txt "$WORK"/*.result
export WORK COMMAND="$compiler -std=c++20 -fsyntax-only $*"
find "$folder" -name '*.hpp' -printf '%P\n' | sort |
  xargs -r -n 1 -P 2 bash "${BASH_SOURCE[0]}" --header
results=$(cat "$WORK"/*.result)
grep -v '^passed$' <<<"$results"
passed=$(grep -c '^passed$' <<<"$results")
failed=$(grep -c '^failed' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
