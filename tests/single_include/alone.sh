#!/usr/bin/env bash
# tenon.hpp needs no library: neither in what it includes, nor in what the compiler reads for a
# program, also for processors where it uses xsimd.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

with_a_library="include/tenon_(mpi|testing_mpi|train_mpi|eigen|mdspan|nanobind|npz|config|yaml|spdlog)\\.hpp"
for header in include/*.hpp; do
  found=$(awk -f "$here/alone.awk" "$header" | grep -vxE 'tenon[a-z_]*\.hpp' || true)
  [[ $header =~ ^$with_a_library$ ]] || [ -z "$found" ] || fail "$header includes $found"
done
awk -f "$here/alone.awk" include/tenon.hpp | grep . && fail "tenon.hpp includes the above"

# The check finds what it looks for.
printf '#ifndef A\n#if B\n#else\n#include <tuple>\n#include <zlib.h>\n#endif\n#endif\n' >library.hpp
[ "$(awk -f "$here/alone.awk" library.hpp)" = zlib.h ] || fail "alone.awk does not find a library"
"$root/scripts/single_include" --without-xsimd without
[ "$(awk -f "$here/alone.awk" without/tenon.hpp)" = xsimd/xsimd.hpp ] || fail "xsimd is not found"

# The licence of xsimd is in the file that contains it, and only there.
for words in "Johan Mabille" "Neither the name of the copyright holder" "Boost Software License" \
  SunPro; do
  grep -q "$words" include/tenon.hpp || fail "tenon.hpp lacks xsimd's licence: $words"
done
grep -l "Johan Mabille" without/*.hpp include/tenon_*.hpp && fail "xsimd's licence without xsimd"

# read_alone NAME COMPILER...: nothing is read beyond the compiler's folders.
read_alone() {
  "${@:2}" -std=c++20 -Iinclude -M "$here/second.cpp" >"$1.d"
  grep -E "xsimd/|tenon/[a-z]" "$1.d" && fail "$1: the above is read"
  echo "read alone: $1"
}
# with_xsimd NAME COMPILER...: the same, and compiles, where vector registers are those of xsimd.
with_xsimd() {
  read_alone "$@"
  "${@:2}" -std=c++20 "${warnings[@]}" -Wno-psabi -Iinclude -fsyntax-only "$here/second.cpp"
}
read_alone plain "$compiler"
[ "$(uname -m)" != x86_64 ] || with_xsimd avx "$compiler" -mavx
if command -v aarch64-linux-gnu-g++ >/dev/null; then with_xsimd neon aarch64-linux-gnu-g++; fi
