#pragma once

#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/op/list.hpp>
#include <tenon/op/stop.hpp>

/// The elementwise functions on expressions. Each is defined in the file of its op, in `op/`;
/// `map`, which they call, is here, and the cast, which takes a dtype.
namespace tenon::internal {

/// The expression of a cast to a dtype, or its error type. (Not for a device; a struct of tensors
/// is converted by eval/move_tree.hpp.)
template <class T, class X>
struct CastTo {};
template <class T, class X>
  requires is_dtype<T> && requires { typename MapOf<op::Cast<T>, X>; }
struct CastTo<T, X> {
  using type = MapOf<op::Cast<T>, X>;
};
template <class T, class X>
using CastOf = typename CastTo<T, X>::type;

/// The same values as another dtype: `to<float>(mask)`. Floating to integer truncates towards zero
/// and saturates; to a narrower floating dtype rounds once; to `bool` is `x != 0`. Complex numbers
/// convert only to complex dtypes and `bool`. PyTorch: `x.to(dtype)`.
template <class T, class X, WellFormed R = CastOf<T, X>>
constexpr auto to(X&& x) -> R {
  return map<op::Cast<T>>(std::forward<X>(x));
}
template <class T, class X, IllFormed R = CastOf<T, X>>
auto to(X&& x) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::to;

}  // namespace tenon
