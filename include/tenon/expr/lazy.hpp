#pragma once

#include <tenon/expr/places.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/tensor/view.hpp>

/// Whether values are computed yet.
namespace tenon::internal {

/// Whether `x` is an expression: false for a tensor and a view of memory, whose elements exist. A
/// property of the type of `x`: constant where `x` is.
template <Expression X>
constexpr bool is_lazy(X const&) {
  return !TensorType<X> && !is_view<X>;
}
template <class X, class R = Refused<Named<"is_lazy">, X>>
auto is_lazy(X const&) -> R;

/// Whether the elements of `x` are in memory: of a tensor, a view of memory, or a named expression
/// whose value is cached. Cached is the value of an expression with a contraction or a reduction,
/// when an element is read or when it is, by name, an operand of another expression; copies have it
/// too. Waits while another thread computes it. False for expressions in constant evaluation.
template <Expression X>
constexpr bool is_evaluated(X const& x) {
  if constexpr (has_cached_value<X>)
    return !__builtin_is_constant_evaluated() && x.cached_value_.template has<TensorOf<X>>();
  else return !is_lazy(x);
}
template <class X, class R = Refused<Named<"is_evaluated">, X>>
auto is_evaluated(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::is_evaluated;
using internal::is_lazy;

}  // namespace tenon
