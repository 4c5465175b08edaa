#!/usr/bin/env bash
# A single header may be included twice, from two places, and pasted into a file. Beside headers of
# include/tenon, and beside a single header of another commit, it is one clear error.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# refused NAME WORDS: the first error of NAME.cpp has these words, and no more than one follows.
refused() {
  local errors
  if "${compile[@]}" -I"$root/include" -fsyntax-only "$1.cpp" 2>messages; then
    fail "$1 compiles"
  fi
  errors=$(grep -E '(error|error): ' messages)
  [[ $(head -1 <<<"$errors") == *"$2"* ]] || fail "$1: expected '$2', got: $errors"
  [ "$(wc -l <<<"$errors")" -le 2 ] || fail "$1: more than the error and the end: $errors"
  echo "refused: $1"
}

includes() { printf '#include %s\n' "$@"; }
mkdir copy
cp include/tenon.hpp include/tenon_wide.hpp copy/
commit=$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)
includes '"tenon.hpp"' '"copy/tenon.hpp"' '"copy/tenon_wide.hpp"' '"tenon_wide.hpp"' >twice.cpp
printf '%s\n' "static_assert(std::string_view(TENON_COMMIT) == \"$commit\");" \
  'static_assert(TENON_VERSION > 0);' >>twice.cpp
"${compile[@]}" -fsyntax-only twice.cpp
head -1 include/tenon.hpp | grep -qE "^// Tenon [0-9.]+, commit $commit: tenon.hpp, made by" ||
  fail "the first line lacks version and commit"

# The program of docs/compiler_explorer.md, as Compiler Explorer compiles it.
awk '!/^#include <tenon\//
     /^#include <tenon\// { print "#line 1 \"tenon.hpp\""
       while ((getline line < "include/tenon.hpp") > 0) print line
       print "#line " NR + 1 " \"example.cpp\"" }' \
  "$root/tests/docs/compiler_explorer.cpp" >pasted.cpp
"${compile[@]}" pasted.cpp -pthread -o pasted
./pasted >printed
awk '/^It prints/ { after = 1 } after && /^```$/ { exit }
     shown { print } after && /^```text/ { shown = 1 }' "$root/docs/compiler_explorer.md" >expected
[ "$(uname -m)" != x86_64 ] || diff expected printed || fail "the page shows other numbers"
sed -i 's|// matmul(model|matmul(model|' pasted.cpp
"${compile[@]}" -fsyntax-only pasted.cpp 2>messages && fail "the mistake of the page compiles"
grep -m1 error messages | grep -q 'axes_do_not_fit.*matmul.*out=2.*batch' ||
  fail "$(head -3 messages)"

includes '<tenon/tenon.hpp>' '"tenon.hpp"' >after_folder.cpp
refused after_folder 'tenon.hpp after <tenon/...>: include single headers, or those of the folder'
includes '<tenon/tenon.hpp>' '"tenon_wide.hpp"' >component_after_folder.cpp
refused component_after_folder 'tenon_wide.hpp after <tenon/...>: include single headers'
for header in tenon.hpp io/safetensors.hpp autodiff/higher_order.hpp backend/cuda.hpp; do
  includes '"tenon.hpp"' "<tenon/$header>" >before_folder.cpp
  refused before_folder 'tenon: <tenon/...> after a single header: include single headers, or those'
done

sed -iE 's/TENON_COMMIT) == ".*"/TENON_COMMIT) == "another"/' include/tenon_wide.hpp
includes '"tenon_wide.hpp"' >other_commit.cpp
refused other_commit 'tenon: tenon_wide.hpp and tenon.hpp are of different commits'
