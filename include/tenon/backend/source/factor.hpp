#pragma once

namespace tenon::source {

/// One of the factors of a product.
template <bool is_left, class P>
auto const& factor_of(P const& e) {
  if constexpr (is_left) return e.a;
  else return e.b;
}

}  // namespace tenon::source
