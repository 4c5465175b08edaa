#!/usr/bin/env bash
# A program of a file that imports Tenon and one that includes its headers; every public name is
# exported, and none is forgotten.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"${compile[@]}" --precompile tenon.cppm -o tenon.pcm
"${compile[@]}" -Wno-unused-command-line-argument -c tenon.pcm -o tenon.o
import=(-fmodule-file=tenon=tenon.pcm)
"${compile[@]}" "${import[@]}" -c "$here/main.cpp" -o main.o
"${compile[@]}" -c "$here/includes.cpp" -o includes.o
"$clang" main.o includes.o tenon.o -pthread -ldl -o program
./program || fail "the program fails"

# The headings of docs/functions/ but those of headers that are included by name.
awk '/^#/ { if (name) print name; name = "" }
     /^## / && $2 != "operators" { name = $2 }
     /^Header: / && !/tenon\/tenon\.hpp/ &&
       /tenon\/(distributed|train|testing|tensor\/matrices|io\/(eigen|mdspan|nanobind|npz)|eval\/capture|backend\/(cuda|metal|opencl|devices))/ { name = "" }
     END { if (name) print name }' "$root"/docs/functions/*.md | sort -u >names
[ "$(wc -l <names)" -gt 250 ] || fail "docs/functions/ has only $(wc -l <names) names"

# forgotten FILE: names that this module does not export.
forgotten() { sed -n 's/^using tenon:://; s/;$//p' "$1" | sort -u | comm -23 names -; }
[ -z "$(forgotten tenon.cppm)" ] || fail "not exported: $(forgotten tenon.cppm)"
grep -v '^using tenon::AdamW;' tenon.cppm >less.cppm
[ "$(forgotten less.cppm)" = AdamW ] || fail "the check does not find a forgotten name"

# They are found by a file that imports.
{ echo "import tenon;"
  awk '{ print "namespace n" NR " { using tenon::" $0 "; }" }' names; } >names.cpp
"${compile[@]}" "${import[@]}" -fsyntax-only names.cpp
# Names that are not public are not.
echo 'import tenon; using tenon::internal::Elementwise;' >internal.cpp
"$clang" -std=c++20 "${import[@]}" -fsyntax-only internal.cpp 2>messages &&
  fail "tenon::internal is exported"
grep -q Elementwise messages || fail "another error: $(head -3 messages)"

# A new public name is exported; one in a header that nothing includes is an error.
mkdir copy
cp -r "$root/include" "$root/scripts" copy/
echo 'namespace tenon { struct Newcomer {}; }' >>copy/include/tenon/nn/linear.hpp
copy/scripts/module new.cppm
grep -qx 'using tenon::Newcomer;' new.cppm || fail "a new name is not exported"
echo 'namespace tenon { struct Stranger {}; }' >copy/include/tenon/nn/stranger.hpp
copy/scripts/module new.cppm 2>messages && fail "a header outside of the module is not found"
grep -q 'neither in the module nor in BY_NAME: nn/stranger.hpp' messages || fail "$(cat messages)"
