#!/usr/bin/env bash
# Every header compiles alone, without warnings.
# Usage: WORK=folder headers.sh INCLUDE_FOLDER COMPILER FLAGS...     two compilations at a time
#
# One compilation checks a whole chain of headers (chains.awk). If a chain does not compile, its
# headers are compiled one by one. Headers included by a whole chain may be precompiled.
set -u
export LC_ALL=C
bases="tenon/tensor/expression.hpp tenon/eval/evaluate.hpp
  tenon/backend/cpu/simd/lanes_generic.hpp tenon/distributed/collectives/along.hpp"

precompiled() { echo "$WORK/${1//\//.}"; }

# reads BASE HEADER...: the compiler's output is written to a file named after the last header.
reads() {
  local base=$1
  shift
  printf '#include <%s>\n' "$@" |
    $COMMAND ${base:+-include "$(precompiled "$base")"} -x c++ - >"$WORK/${!#//\//.}.txt" 2>&1
}

check_chain() {
  local base=${1%%:*} header
  read -ra headers <<<"${1#*:}"
  if reads "$base" "${headers[@]}"; then printf 'passed\n%.0s' "${headers[@]}"; return; fi
  for header in "${headers[@]}"; do
    reads "$base" "$header" && { echo "passed"; continue; }
    echo "failed: <$header>"
    grep -m3 -E 'error:' "$WORK/${header//\//.}.txt" | sed 's/^/    /'
  done
}

# Results are written to files, as the output of two processes would interleave in a pipe.
if [ "$1" = --chain ]; then check_chain "$2" >"$WORK/$$.result"; exit; fi

folder=$1; compiler=$2; shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$WORK"; rm -f "$WORK"/*.txt "$WORK"/*.result "$WORK"/*.gch
export WORK COMMAND="$compiler -std=c++20 -fsyntax-only $*"

cd "$folder" || exit
headers=$(find . -name '*.hpp' -printf '%P\n')
if [[ " $* " == *" -DTENON_WITHOUT_MPI "* ]]; then
  echo "$(grep -c '^tenon/distributed/' <<<"$headers") of distributed/ skipped: no MPI here"
  headers=$(grep -v '^tenon/distributed/\|^tenon/testing/mpi\|_over_ranks.hpp$' <<<"$headers")
fi
if [[ " $* " == *" -DTENON_WITHOUT_EIGEN "* ]]; then
  echo "tenon/io/eigen.hpp and tenon/eigenvalues.hpp skipped: no Eigen here"
  headers=$(grep -vE '^tenon/(io/eigen|(numeric/)?eigenvalues)\.hpp$' <<<"$headers")
fi
# Tests of io/ compile these where their libraries are.
headers=$(grep -vE '^tenon/io/(mdspan|nanobind)\.hpp$' <<<"$headers")
if [[ " $* " == *" -DTENON_WITHOUT_ZLIB "* ]]; then
  echo "tenon/io/npz.hpp skipped: no zlib here"
  headers=$(grep -v '^tenon/io/npz' <<<"$headers")
fi
if [[ " $* " == *" -DTENON_WITHOUT_TRAIN_LIBRARIES "* ]]; then
  echo "configuration, YAML and spdlog of tenon/train skipped: a library is missing here"
  headers=$(grep -vE '^tenon/train/(config|yaml|spdlog|run/spdlog)' <<<"$headers")
fi
for base in $bases; do
  text=$(precompiled "$base")
  echo "#include <$base>" >"$text"
  $compiler -std=c++20 "$@" -x c++-header "$text" -o "$text.gch" 2>/dev/null &
done
wait
# (What only the runtime part of a header includes may include that header itself.)
{ echo "$headers"
  find . -name '*.hpp' -printf '%P\0' | xargs -0 awk '
    FNR == 1 { runtime = 0 }
    /^#if TENON_DEFINES_RUNTIME/ { runtime = 1 }
    !runtime && /^#include </ { gsub(/.*<|>.*/, ""); print FILENAME, $0 }'
} | awk -v bases="${bases//$'\n'/}" -f "$here/chains.awk" |
  xargs -r -d '\n' -n 1 -P 2 bash "$here/headers.sh" --chain
results=$(cat "$WORK"/*.result)
grep -v '^passed$' <<<"$results"
passed=$(grep -c '^passed$' <<<"$results")
failed=$(grep -c '^failed' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq "$(wc -l <<<"$headers")" ]
