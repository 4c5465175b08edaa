#!/usr/bin/env bash
# Applies the recipes of CONTRIBUTING.md to a copy of include/, as its text says, and counts the files
# that each of them changes. Every block of C++ in the document belongs to a recipe.
# Usage: apply.sh DOCUMENT FOLDER      FOLDER/include becomes the copy; FOLDER/one_row has the further
#                                      files of a dtype as they were, FOLDER/own what a project adds
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
document=$1 folder=$2

fail() { echo "failed: $*"; exit 1; }

# says SECTION WORDS...: the section's text names each of these, on which the recipe relies.
says() {
  local section words
  section=$(awk -v title="## Adding $1:" '/^## / { inside = index($0, title) == 1 } inside' "$document" |
    tr '\n' ' ')
  [ -n "$section" ] || fail "CONTRIBUTING.md has no section \"Adding $1\""
  for words in "${@:2}"; do
    [[ $section == *"$words"* ]] || fail "\"Adding $1\" does not say: $words"
  done
}

# block WORDS: sets `text` to the one block of the document that has these words.
block() {
  local found
  mapfile -t found < <(grep -lF -- "$1" "$folder"/blocks/*)
  [ ${#found[@]} -eq 1 ] || fail "${#found[@]} blocks of CONTRIBUTING.md have \"$1\""
  echo "${found[0]}" >>"$folder/used"
  text=$(<"${found[0]}")
}

# tested_in TEST: the block stands as it is in a test of a user's project.
tested_in() { [[ $(<"$root/tests/$1") == *"$text"* ]] || fail "tests/$1 does not have:"$'\n'"$text"; }

# edit HEADER PROGRAM [NAME=VALUE...]: the header becomes what an awk program, which sees `text`, makes
# of it; a program that finds nothing to change has failed.
edit() {
  local header=$tenon/$1 program=$2 name values=()
  for name in "${@:3}"; do values+=(-v "$name"); done
  TEXT=$text awk "${values[@]}" "BEGIN { text = ENVIRON[\"TEXT\"] } $program" "$header" >"$folder/edited"
  ! cmp -s "$header" "$folder/edited" || fail "$1 has no place for: ${*:3}"
  mv "$folder/edited" "$header"
}

# Where `text` goes in a header: around the paragraph with some words, after a line, before the last one.
before() {
  edit "$1" 'BEGIN { RS = "" } NR > 1 { print "" } index($0, words) { print text "\n" } { print }' "words=$2"
}
after() {
  edit "$1" 'BEGIN { RS = "" } NR > 1 { print "" } { print } index($0, words) { print "\n" text }' "words=$2"
}
after_line() { edit "$1" '{ print } index($0, words) { print text }' "words=$2"; }
at_the_end() { edit "$1" 'NR > 1 { print last } { last = $0 } END { print "\n" text "\n\n" last }'; }

includes() { edit "$1" '!done && /^#include <tenon/ { print line; done = 1 } { print }' "line=#include <$2>"; }

# lists HEADER LIST OP: the operation at the end of a list.
lists() {
  edit "$1" 'index($0, start) { inside = 1 } inside && sub(/>;$/, ", " op ">;") { inside = 0 } { print }' \
    "start=using $2 = List<" "op=$3"
}

in_tenon() { text="namespace tenon {"$'\n\n'"$text"$'\n\n'"}  // namespace tenon"; }

sums() { (cd "$folder/include" && find . -type f -exec cksum {} + | sort); }

# changes COUNT RECIPE: so many files differ from those at the last call, or are new.
changes() {
  local changed
  sums >"$folder/after"
  changed=$(comm -13 "$folder/before" "$folder/after" | sed 's|.* \./|    |')
  [ "$(grep -c . <<<"$changed")" -eq "$1" ] || fail "$2 changes files, not $1:"$'\n'"$changed"
  mv "$folder/after" "$folder/before"
}

paths_are_there() {
  local path
  while read -r path; do
    compgen -G "$root/$path" || compgen -G "$root/include/$path" || compgen -G "$root/include/tenon/$path" ||
      fail "CONTRIBUTING.md names a path that is not there: $path" >&2
  done < <(grep -o '`[a-z_.]*/[a-z_./*]*`' "$document" | tr -d '`') >/dev/null
}

operation() {
  says "an operation" ": one file" "namespace tenon::op" "op/activations.hpp" "\`SmoothActivations\`" \
    "includes \`tenon/op/arithmetic.hpp\`" "at the end of the same file" "\`op::Softsign\` in place of \`Softsign\`"
  block "struct Softsign"; tested_in docs/own_op_test.cpp
  before op/activations.hpp "using SmoothActivations = List<"
  lists op/activations.hpp SmoothActivations Softsign
  includes op/activations.hpp tenon/op/arithmetic.hpp
  block "MapOf<Softsign"; tested_in docs/own_op_test.cpp
  text=${text//<Softsign/<op::Softsign}
  at_the_end op/activations.hpp
  changes 1 "an operation"
}

layer() {
  says "a layer" ": one file" "file in \`include/tenon/nn/\`" "\`nn/nn.hpp\` includes" "in \`namespace tenon\`"
  block "#pragma once"
  local head=$text
  block "struct GatedUnit"; tested_in docs/own_layer_test.cpp
  in_tenon
  printf '%s\n\n%s\n' "$head" "$text" >"$tenon/nn/gated_unit.hpp"
  changes 1 "a layer"
  includes nn/nn.hpp tenon/nn/gated_unit.hpp
  changes 1 "the library's list of layers"
  block "struct RMSNorm"; tested_in docs/own_layer_test.cpp
  echo "$text" >"$folder/own/rms_norm.hpp"
}

dtype() {
  says "a dtype" ": one row" "include/tenon/core/dtype.hpp" "above the table, in \`namespace tenon\`"
  block "struct truncated16"; in_tenon
  text=$'\n'$text
  after_line core/dtype.hpp "#include <tenon/core/half.hpp>"
  block "Dtype<truncated16>{"
  after_line core/dtype.hpp "Dtype<bfloat16>{"
  changes 1 "a dtype"
}

what_is_not_the_same_for_all_dtypes() {
  local files=(io/safetensors/dtype.hpp backend/codegen/symbol/halves.hpp backend/cpu/simd/lanes_half.hpp)
  says "a dtype" "${files[@]}"
  (cd "$folder/include" && cp --parents "${files[@]/#/tenon/}" "$folder/one_row")
  block "StoredDtype{"
  after_line io/safetensors/dtype.hpp 'StoredDtype{"BF16"'
  block "value_of_bits(std::type_identity"
  after backend/codegen/symbol/halves.hpp "value_of_bits(std::type_identity<bfloat16>"
  block "struct HalfWords"
  after backend/cpu/simd/lanes_half.hpp "struct HalfWords<bfloat16>"
  changes 3 "what is not the same for all dtypes"
}

backend() {
  says "a backend" ": one file" "in \`include/tenon/backend/\`, in \`namespace tenon\`" \
    "\`BackendFor\` without \`tenon::\`" "includes \`tenon/backend/contract.hpp\`"
  block "struct Plain {"; tested_in backend/own_device_test.cpp
  text=${text/tenon::BackendFor/BackendFor}
  in_tenon
  printf '#pragma once\n\n#include <tenon/backend/contract.hpp>\n\n%s\n' "$text" >"$tenon/backend/plain.hpp"
  changes 1 "a backend"
  block "struct Counting :"; tested_in backend/own_device_test.cpp
  echo "$text" >"$folder/own/counting.hpp"
}

rm -rf "$folder"
mkdir -p "$folder/blocks" "$folder/own" "$folder/one_row"
folder=$(cd "$folder" && pwd) tenon=$folder/include/tenon
cp -r "$root/include" "$folder/include"
sums >"$folder/before"
awk -v folder="$folder/blocks" '
  /^```cpp$/ { file = sprintf("%s/%02d", folder, ++count); next }
  /^```$/ { file = "" }
  file { print >file }' "$document"

paths_are_there
operation
layer
dtype
what_is_not_the_same_for_all_dtypes
backend
unused=$(ls "$folder"/blocks/* | grep -vxFf "$folder/used" || true)
[ -z "$unused" ] || fail "no recipe of tests/recipes uses a block of CONTRIBUTING.md:"$'\n'"$(cat $unused)"
echo "applied: an operation, a layer, a dtype, a backend"
