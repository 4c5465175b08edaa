#!/usr/bin/env bash
# No template calls an intrinsic with operands of dependent type: clang 19 would not find the
# function, which is static, in a program that imports Tenon.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ "$(uname -m)" = x86_64 ] || skip "not x86-64"

# dependent FILE LEVEL: such calls in what the file includes of Tenon.
dependent() {
  "${compile[@]}" -march="$2" -fsyntax-only -Xclang -ast-dump -fno-color-diagnostics "$1" |
    awk 'match($0, /<[^<>: ]*:[0-9]+:[0-9]+[,>]/) && !/<(line|col):/ {
           file = substr($0, RSTART + 1, RLENGTH - 2) }
         /UnresolvedLookupExpr.* = .(_mm|_tile|_cvt)/ && file ~ /tenon\/|^control/ {
           sub(/.* = /, ""); print file, $0 }'
}
(cd "$root/include" && printf '#include <%s>\n' tenon/backend/cpu/simd/*.hpp) >tenon.cpp
for level in x86-64 x86-64-v3 x86-64-v4; do
  found=$(dependent tenon.cpp "$level")
  [ -z "$found" ] || fail "$level: $found"
done

cat >control.cpp <<'END'
#include <immintrin.h>
template <class T>
void f(T x) {
  _mm_sfence();
  _mm_storeu_si128(x, x);
}
END
[[ $(dependent control.cpp x86-64) == *_mm_storeu_si128* ]] || fail "the check finds nothing"
