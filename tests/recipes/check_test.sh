#!/usr/bin/env bash
# The test of the recipes itself must be able to fail: text that says less, or shows something else, a
# recipe that changes more files than it promises, a list without the operation or with a wrong name.
# Usage: WORK=folder check_test.sh COMPILER FLAGS...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
copy=$WORK/copy
mkdir -p "$WORK"

# says WORDS COMMAND...: the command fails, with these words.
says() {
  local words=$1 said
  if said=$("${@:2}" 2>&1); then echo "expected a failure, got success: ${*:2}"; exit 1; fi
  grep -qF -- "$words" <<<"$said" || { echo "$said"; echo "expected: $words"; exit 1; }
}

# changed FILE NAME COMMAND: a copy of the file, edited by sed, which must change something.
changed() {
  sed "$3" "$1" >"$WORK/$2"
  ! cmp -s "$1" "$WORK/$2" || { echo "nothing to change in $1 by: $3"; exit 1; }
}

# with_text WORDS COMMAND: what is said of an edited CONTRIBUTING.md.
with_text() {
  changed "$root/CONTRIBUTING.md" text.md "$2"
  says "$1" bash "$here/apply.sh" "$WORK/text.md" "$copy"
}
with_text '0 blocks of CONTRIBUTING.md have "struct Softsign"' 's/Softsign {/Softly {/'
with_text 'has no section "Adding a dtype"' 's/^## Adding a dtype/## A dtype/'
with_text '"Adding a layer" does not say: `nn/nn.hpp`' 's/`nn.nn.hpp`/another file/'
with_text 'tests/docs/own_op_test.cpp does not have' 's/scale \* scale/scale/'
with_text 'names a path that is not there: op/words.hpp' 's|`op/intrinsics.hpp`|`op/words.hpp`|'
with_text 'no recipe of tests/recipes uses a block' '$a```cpp\nint another;\n```'

# with_recipes WORDS COMMAND: what is said of an edited apply.sh.
with_recipes() {
  changed "$here/apply.sh" apply.sh "s|^root=.*|root=$root|; $2"
  says "$1" bash "$WORK/apply.sh" "$root/CONTRIBUTING.md" "$copy"
}
with_recipes "a dtype changes files, not 1:" 's|^dtype() {|&\necho >>"$tenon/tenon.hpp"|'
with_recipes "op/activations.hpp has no place for: start=using Smooth" 's/lists op.activations.hpp SmoothActivations/lists op\/activations.hpp Smooth/'

# with_list WORDS COMMAND: what the compiler says of the lists, after an edit of the copy's recipe.
bash "$here/apply.sh" "$root/CONTRIBUTING.md" "$copy"
compiler=$1 flags=("${@:2}")
listed() { "$compiler" "-I$1" "${flags[@]}" -std=c++20 -fsyntax-only "$here/listed.cpp"; }
listed "$copy/include"
says "softsign is in no list" listed "$root/include"
changed "$copy/include/tenon/op/activations.hpp" activations.hpp 's/, Softsign>;/, Softsing>;/'
mv "$WORK/activations.hpp" "$copy/include/tenon/op/activations.hpp"
says "Softsing" listed "$copy/include"
