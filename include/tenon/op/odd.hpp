#pragma once

#include <tenon/op/intrinsics.hpp>

namespace tenon::internal::intrinsics {

/// Doubles as floats that round to 16 bits as the doubles do: rounded to odd, as in
/// `core/half.hpp`.
template <class V>
constexpr auto doubles_to_odd(V x) {
  auto const nearest = convert<float>(x);
  V const back = convert<double>(nearest);
  auto const all = bits(nearest);
  using Bits = std::remove_const_t<decltype(all)>;
  Bits const larger = select(abs(back) > abs(x), Bits(1u), Bits(0u));
  return from_bits(select(back == x, all, (all - larger) | Bits(1u)));
}

}  // namespace tenon::internal::intrinsics
