#pragma once

#include <tenon/expr/axes.hpp>

namespace tenon::internal {

/// The shape of a tensor, an expression or its type: a value that can be compared and printed:
/// `static_assert(shape_of<decltype(x)> == "batch hidden=128")`. PyTorch, NumPy: `x.shape`.
template <Expression X>
inline constexpr Shape const& shape_of = Unqualified<X>::shape;

/// The dtype of a tensor, an expression or its type: `value_type_of<decltype(x)>` is `float`.
/// PyTorch, NumPy: `x.dtype`.
template <Expression X>
using value_type_of = typename Unqualified<X>::value_type;

struct SizeName {
  static constexpr std::string_view name = "size";
};

/// The size of an axis, `size<"batch">(x)` or `size<-1>(x)`; for several axes the product of their
/// sizes. A constant where it is static. PyTorch: `x.size(dim)`.
template <Axes axes, Expression X>
  requires(Chosen<axes, X>::ok)
constexpr std::int64_t size(X const& x) {
  std::int64_t positions = 1;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (!Chosen<axes, X>::value[i]) continue;
    positions *= X::shape[i].is_static() ? X::shape[i].size : at(x.sizes(), i);
  }
  return positions;
}
template <Axes axes, Expression X>
  requires(!Chosen<axes, X>::ok)
auto size(X const& x) -> ChoiceMistake<SizeName, axes, X>;
template <Axes, class X, class R = Refused<SizeName, X>>
auto size(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::shape_of;
using internal::size;
using internal::value_type_of;

}  // namespace tenon
