#!/usr/bin/env bash
# Every header compiles alone, without warnings.
# Usage: WORK=folder headers.sh INCLUDE_FOLDER COMPILER FLAGS...     two compilers run at a time
#
# What includes a base, in the end, is compiled on top of the base precompiled: it would be read
# anyway, and compiles alone itself. (Of several, the last.)
set -u
export LC_ALL=C
bases="core/rules/settle.hpp tensor/tensor.hpp eval/evaluate.hpp backend/cpu/lanes_generic.hpp"

base_of() { awk -v header="$1" '$1 == header { base = $2 } END { print base }' "$WORK/based"; }

check_header() {
  local text="$WORK/${2//\//.}.txt" base
  case " $COMMAND $2" in *" -DTENON_WITHOUT_MPI "*" tenon/dist/"*) echo "skipped"; return;; esac
  base=$(base_of "$2")
  echo "#include <$2>" | $COMMAND ${base:+-include "$base"} -x c++ - >"$text" 2>&1 &&
    { echo "passed"; return; }
  echo "failed: <$2>"; grep -m3 -E 'error:' "$text" | sed 's/^/    /'
}

# Results go to files: two of them would mix in a pipe.
if [ "$1" = --header ]; then check_header "$@" >"$WORK/${2//\//.}.result"; exit; fi

folder=$1; compiler=$2; shift 2
mkdir -p "$WORK"; rm -f "$WORK"/*.txt "$WORK"/*.result "$WORK"/*.gch "$WORK/based"
export WORK COMMAND="$compiler -std=c++20 -fsyntax-only $*"

# The headers that include $1 in the end, by the lines "header included" of the file $2.
users_of() {
  awk -v base="$1" '
    { from[NR] = $1; to[NR] = $2 }
    END {
      is_user[base] = 1
      for (more = 1; more; ) {
        more = 0
        for (i in from) if (is_user[to[i]] && !is_user[from[i]]) more = is_user[from[i]] = 1
      }
      for (header in is_user) if (is_user[header] && header != base) print header
    }' "$2"
}

(cd "$folder" && grep -rE '^#include <' --include='*.hpp' .) |
  sed -E 's|^\./([^:]*):#include <([^>]*)>.*|\1 \2|' >"$WORK/edges"
touch "$WORK/based"
for base in $bases; do
  text=$WORK/${base//\//.}
  echo "#include <tenon/$base>" >"$text"
  $compiler -std=c++20 "$@" -x c++-header "$text" -o "$text.gch" 2>/dev/null || continue
  users_of "tenon/$base" "$WORK/edges" | sed "s|\$| $text|" >>"$WORK/based"
done

find "$folder" -name '*.hpp' -printf '%P\n' | sort |
  xargs -r -n 1 -P 2 bash "${BASH_SOURCE[0]}" --header
results=$(cat "$WORK"/*.result)
grep -vE '^(passed|skipped)$' <<<"$results"
skipped=$(grep -c '^skipped$' <<<"$results")
[ "$skipped" -eq 0 ] || echo "$skipped of dist/ skipped: no MPI here"
passed=$(grep -c '^passed$' <<<"$results")
failed=$(grep -c '^failed' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
