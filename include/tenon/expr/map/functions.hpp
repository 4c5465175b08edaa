#pragma once

#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/op/list.hpp>
#include <tenon/op/stop.hpp>

/// The elementwise functions on expressions. Each stands in the file of its op, in `op/`; `map`, to
/// which they lead, is here. Only the cast, which names a dtype, is a function of its own.
namespace tenon {

/// The same values as another dtype: `to<float>(mask)`. PyTorch: `x.to(dtype)`.
template <class T, Expression X, Sound R = MapOf<op::Cast<T>, X>>
  requires is_dtype<T>
constexpr auto to(X&& x) -> R {
  return map<op::Cast<T>>(std::forward<X>(x));
}
template <class T, class X, Mistaken R = MapOf<op::Cast<T>, X>>
  requires is_dtype<T>
auto to(X&& x) -> R;

}  // namespace tenon
