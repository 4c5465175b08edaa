#!/usr/bin/env bash
# The recipes of CONTRIBUTING.md hold: applied to a copy of include/, as its text says, they compile
# without warnings, and a program that uses what they add passes its tests, with tenon::compiled, whose
# runtime must know a new dtype too. What they promise not to compile does not.
# Usage: WORK=folder test.sh COMPILER FLAGS...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=$1 copy=$WORK/copy
bash "$here/apply.sh" "$here/../../CONTRIBUTING.md" "$copy"

compile=("$@" -std=c++20 -O0 "-I$copy/include" "-I$copy")
[ -z "$(command -v ccache)" ] || compile=(ccache "${compile[@]}")
printf '#define TENON_IMPLEMENTATION\n#include <tenon/compiled.hpp>\n' >"$copy/runtime.cpp"
# One file, as the tests have most of their kernels in common. The first header that it includes compiles
# alone, and so does the other added one.
printf '#include "%s"\n' "$here"/{layer,op,dtype,dtype_files,device}.cpp >"$copy/added.cpp"
echo '#include <tenon/backend/plain.hpp>' >"$copy/alone.cpp"
"${compile[@]}" -DTENON_COMPILED -fsyntax-only "$copy/alone.cpp"
objects=()
for source in "$here/listed.cpp" "$copy/added.cpp" "$here/../main.cpp" "$copy/runtime.cpp"; do
  object=$copy/$(basename "$source" .cpp).o
  "${compile[@]}" -DTENON_COMPILED -c "$source" -o "$object"
  objects+=("$object")
done
"$compiler" "${objects[@]}" -pthread -o "$copy/program"
(cd "$copy" && ./program)  # which saves files

# With its row alone, a dtype is neither saved nor in the text of kernels.
source=$here/dtype_files.cpp
if messages=$("$compiler" "-I$copy/one_row" "${@:2}" -std=c++20 "-I$copy/include" -fsyntax-only "$source" 2>&1); then
  echo "failed: $source compiles without the further files of a dtype"
  exit 1
fi
for words in "the dtype of a tensor has no name in files" value_of_bits bits_of_value; do
  grep -qF -- "$words" <<<"$messages" || { echo "$messages"; echo "failed: expected: $words"; exit 1; }
done
