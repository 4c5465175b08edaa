#!/usr/bin/env bash
# The tests of <tenon/io/mdspan.hpp>, with the first that has an mdspan: the given compiler with
# Kokkos' header, the same with C++23, or a clang with libc++.
# Usage: WORK=folder mdspan_test.sh COMPILER FLAGS...     Exit status 77: skipped.
set -euo pipefail
mkdir -p "$WORK"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=$1
shift

# attempt COMPILER FLAGS...: builds and runs the tests if there is an mdspan.
attempt() {
  echo "#include <tenon/io/mdspan.hpp>" >"$WORK/read.cpp"
  "$@" "${flags[@]}" -fsyntax-only "$WORK/read.cpp" 2>"$WORK/read.txt" || {
    grep -q "expected <mdspan>" "$WORK/read.txt" || { cat "$WORK/read.txt"; exit 1; }
    return 0
  }
  "$@" "${flags[@]}" -Wall -Wextra -Wconversion -Wshadow -Werror -O0 \
    "$here/mdspan_cases.cpp" "$here/../main.cpp" -o "$WORK/program" -pthread -ldl
  "$WORK/program"
  WORK=$WORK/fail bash "$here/../fail/check.sh" "$here/mdspan" "$@" "${flags[@]}"
  echo "passed: $*"
  passed=yes
}

passed="" flags=("$@")
attempt "$compiler" -std=c++20
[ -n "$passed" ] || attempt "$compiler" -std=c++2b
for version in 22 21 20 19 18 17; do
  [ -z "$passed" ] && command -v "clang++-$version" >/dev/null || continue
  echo "#include <mdspan>" >"$WORK/library.cpp"
  library=(-std=c++2b -stdlib=libc++)
  "clang++-$version" "${library[@]}" -fsyntax-only "$WORK/library.cpp" 2>/dev/null || continue
  attempt "clang++-$version" "${library[@]}" \
    -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE
done
[ -z "$passed" ] || exit 0
echo "skipped: no mdspan here (Debian: clang-19 and libc++-19-dev)"
exit 77
