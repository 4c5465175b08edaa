#pragma once

#include <type_traits>

#include <tenon/op/elementary.hpp>

/// Exact products, without rounding error.
namespace tenon::op {

/// A value as the sum of two, the second below the last bit of the first.
template <class V>
struct Pair {
  V high;
  V low;
};

/// The upper half of the bits of x: the product of two such is exact.
template <class V>
TENON_INLINE constexpr V upper_half(V x) {
  using L = Layout<scalar_of<V>>;
  using Bits = typename L::Bits;
  constexpr Bits dropped = (Bits{1} << ((L::mantissa_bits + 2) / 2)) - 1;
  return from_bits(bits(x) & decltype(bits(x))(static_cast<Bits>(~dropped)));
}

/// a * b with its rounding error (Dekker; needs no fused multiply-add).
template <class V>
TENON_INLINE constexpr Pair<V> exact_product(V a, V b) {
  V const p = a * b, ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// The rounding error of `product`, a * b.
template <class V>
TENON_INLINE constexpr V lost_by_product(V a, V b, V product) {
  if constexpr (!intrinsics::fma_rounds_once) return exact_product(a, b).low;
  else return __builtin_is_constant_evaluated() ? exact_product(a, b).low : fma(a, b, -product);
}

}  // namespace tenon::op
