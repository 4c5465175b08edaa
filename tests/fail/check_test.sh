#!/usr/bin/env bash
# The check must detect violations, in cases that are compiled together as in those that are compiled
# alone, and count the lines of a case together as alone.
# Usage: WORK=folder check_test.sh COMPILER...
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$WORK"
mkdir -p "$WORK"/{together,alone,fails,root}

# a NAME LINE...: the case NAME, a file with these lines.
a() { printf '%s\n' "${@:2}" >"$WORK/$1.cpp"; }
lines() { echo "// expect lines g++: $1"; echo "// expect lines clang++: $2"; }
mistake='int a = nothing_of_that_name;'
words='// expect: nothing_of_that_name'
own_type=('struct Own {};' 'int a = Own();')
at_the_end=('template <class T> void f(T t) { t.call(); }' 'void g() { f(1); }')
in_a_header=('#include <checked.hpp>' 'Checked<int> a;')
echo "template <class T> struct Checked { static_assert(sizeof(T) == 0, \"never\"); };" >"$WORK/checked.hpp"
echo "error: 'nothing_of_that_name' was not declared in this scope" >"$WORK/root/page.md"

# Those that pass together. The compilers quote a line in two, and clang counts errors in one more.
a together/words "$words" "$mistake"
a together/own_type "// expect: 'Own' to 'int'" "${own_type[@]}"
a together/at_the_end "// expect: 'int'" "${at_the_end[@]}"
a together/in_a_header '// expect: never' '// expect note: Checked<int>' "${in_a_header[@]}"
a together/note "$words" '// expect note: int a =' "$mistake"
a together/within "$words" '// expect within 2: int a =' "$mistake"
a together/lines "$words" "$(lines 3 4)" "$mistake"
a together/own_lines "// expect: 'Own'" "$(lines 5 10)" "${own_type[@]}"
a together/shown "$words" '// shown in: page.md' "$mistake"

# Those that pass only alone: where the parts of two cases, or lines of one, may not be apart.
a alone/control '// expect-success' 'int a = 1;'
a alone/words_after_unbalanced "$words" "$mistake"
a alone/lines '#include <checked.hpp>' "$words" "$(lines 3 4)" "$mistake"
a alone/lines_at_the_end '#include <checked.hpp>' "// expect: never" "$(lines 20 20)" \
  'template <class T> void f(T) { Checked<T> member; }' 'void g() { f(1); }'
a alone/unbalanced "$words" "void f() { { $mistake"  # passes together

# Those that fail. The last one is short where the error in the header was printed for another case.
a fails/words '// expect: some other words' "$mistake"
a fails/own_type "// expect: file_" "${own_type[@]}"
a fails/at_the_end '// expect: some other words' "${at_the_end[@]}"
a fails/in_a_header '// expect: some other words' "${in_a_header[@]}"
a fails/note "$words" '// expect note: some other words' "$mistake"
a fails/within "$words" '// expect within 1: int a =' "$mistake"
a fails/lines "$words" "$(lines 2 3)" "$mistake"
a fails/shown '// compiler: g++' "$words" '// shown in: no_page.md' "$mistake"
a fails/compiles "$words" 'int a = 1;'
a fails/no_words "$mistake"
a fails/control '// expect-success' "$mistake"
a fails/lines_of_a_header '// expect: never' '// expect lines: 1' "${in_a_header[@]}"
a fails/lines_without_those_of_a_header "$words" "$(lines 3 4)" "${in_a_header[@]}" "int b = nothing_of_that_name;"

# check FOLDER LINE...: the check's output has these lines.
check() {
  local line said
  said=$(CHECK_ROOT=$WORK/root WORK=$WORK/work bash "$here/check.sh" "$WORK/$1" "$compiler" "-I$WORK" 2>&1)
  for line in "${@:2}"; do
    grep -qF -- "$line" <<<"$said" || { echo "$said"; echo "$compiler: expected: $line"; exit 1; }
  done
}

for compiler in "$@"; do
  family=g++ length=2
  "$compiler" --version | grep -qi clang && family=clang++ length=3
  ALONE=no check together "9 passed, 0 failed"
  check together "9 passed, 0 failed"
  ALONE=no check alone "1 passed, 4 failed"
  check alone "5 passed, 0 failed"
  reasons=(
    "fails/words.cpp" "    expected: some other words"
    "fails/own_type.cpp" "    expected: file_"
    "fails/at_the_end.cpp" "fails/in_a_header.cpp"
    "fails/note.cpp" "    expected in a note: some other words"
    "fails/within.cpp" "    expected in the first 1 lines: int a ="
    "fails/lines.cpp" "    expected: $length lines, got $((length + 1))"
    "fails/compiles.cpp compiles" "fails/no_words.cpp has no line '// expect: words'"
    "fails/control.cpp does not compile: "
    "fails/lines_of_a_header.cpp" "    expected: 1 lines, got"
    "fails/lines_without_those_of_a_header.cpp")
  count=12
  [ $family = clang++ ] || { count=13; reasons+=("fails/shown.cpp" "    expected: the same line in no_page.md"); }
  check fails "${reasons[@]}" "0 passed, $count failed"
  ALONE=no check fails "0 passed, $count failed"
done
