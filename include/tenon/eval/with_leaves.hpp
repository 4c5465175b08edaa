#pragma once

#include <tenon/expr/node.hpp>
#include <tenon/tensor/view.hpp>

/// An expression over other leaves: the same nodes over the results of `f` for every tensor and
/// view, from left to right.
namespace tenon::internal {

template <class E, class F>
auto with_leaves(E const& e, F const& f) {
  if constexpr (TensorType<E> || is_view<E>) return f(e);
  else if constexpr (is_constant<E>) return e;
  else return with_operands(e, [&](auto const& operand, auto) { return with_leaves(operand, f); });
}

}  // namespace tenon::internal
