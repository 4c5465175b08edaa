#pragma once

#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/op/list.hpp>
#include <tenon/op/stop.hpp>

/// The elementwise functions on expressions. Each stands in the file of its op, in `op/`; `map`, to
/// which they lead, is here. Only the cast, which names a dtype, is a function of its own.
namespace tenon {

/// The recipe of a cast to a dtype, or its mistake. (A device, to which `to` moves, is none; a
/// struct of tensors is converted by eval/move_tree.hpp.)
template <class T, class X>
struct CastTo {};
template <class T, class X>
  requires is_dtype<T> && requires { typename MapOf<op::Cast<T>, X>; }
struct CastTo<T, X> {
  using type = MapOf<op::Cast<T>, X>;
};
template <class T, class X>
using CastOf = typename CastTo<T, X>::type;

/// The same values as another dtype: `to<float>(mask)`. A floating number becomes an integer
/// towards zero, the nearest where it is outside; it is rounded once to a narrower floating dtype;
/// any but zero is true. Of complex numbers only to complex dtypes and `bool`. PyTorch:
/// `x.to(dtype)`.
template <class T, Expression X, Sound R = CastOf<T, X>>
constexpr auto to(X&& x) -> R {
  return map<op::Cast<T>>(std::forward<X>(x));
}
template <class T, class X, Mistaken R = CastOf<T, X>>
auto to(X&& x) -> R;

}  // namespace tenon
