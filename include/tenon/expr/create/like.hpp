#pragma once

#include <tenon/core/dispatch.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/stored_operand.hpp>

/// Tensors with the dtype, axes, sizes and device of another.
namespace tenon::internal {

/// Every element is `value`. Throws `ValueError` for a number outside the range of an integer
/// dtype. PyTorch: `full_like`.
template <Expression X, class V>
  requires std::constructible_from<typename Unqualified<X>::value_type, V>
constexpr TensorOf<X> full_like(X const& x, V value) {
  using T = typename Unqualified<X>::value_type;
  check_number<T>("full_like", value);
  return filled(TensorOf<X>::uninitialised(x.sizes()), static_cast<T>(value));
}
template <class X, class V, class R = Refused<Named<"full_like">, X>>
auto full_like(X const&, V) -> R;

/// Zeros. PyTorch: `zeros_like`.
template <Expression X>
constexpr TensorOf<X> zeros_like(X const& x) {
  return full_like(x, typename Unqualified<X>::value_type{});
}
template <class X, class R = Refused<Named<"zeros_like">, X>>
auto zeros_like(X const&) -> R;

/// Ones; of a mask: true. PyTorch: `ones_like`. JAX: `ones_like`.
template <Expression X>
constexpr TensorOf<X> ones_like(X const& x) {
  return full_like(x, static_cast<typename Unqualified<X>::value_type>(1));
}
template <class X, class R = Refused<Named<"ones_like">, X>>
auto ones_like(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::full_like;
using internal::ones_like;
using internal::zeros_like;

}  // namespace tenon
