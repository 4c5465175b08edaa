#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/reduction.hpp>

namespace tenon::internal {

struct CumsumName {
  static constexpr std::string_view name = "cumsum";
};
struct CumprodName {
  static constexpr std::string_view name = "cumprod";
};

template <class Name, class Op, Axes axes, class E>
constexpr auto scan_type() {
  using axis = typename decltype(axes_mistake<Name, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<axis>) return std::type_identity<axis>{};
  else if constexpr (!ReductionsDtype<Op, E>) return dtype_mistake<Name, E>();
  else return std::type_identity<TensorOf<Widened<Op, E const&>>>{};
}

/// The tensor that a scan returns, or an undefined type that names the error.
template <class Name, class Op, Axes axes, Expression X>
using ScanOf = typename decltype(scan_type<Name, Op, axes, Unqualified<X>>())::type;

/// The cumulative sum along one axis: 1 2 3 gives 1 3 6. Any numeric dtype but the 16-bit ones:
/// floating dtypes are kept (`float` accumulates in `double`), integers give `int64` or `uint64`.
/// Evaluated eagerly. PyTorch: `cumsum`. NumPy: `cumsum`.
template <Axes axis, Expression X, WellFormed R = ScanOf<CumsumName, op::SumReduction, axis, X>>
auto cumsum(X&& x) -> R {
  return cumsum_along(keep_value(widened<op::SumReduction>(std::forward<X>(x))),
                      Chosen<axis, R>::value.axis());
}
template <Axes axis, Expression X, IllFormed R = ScanOf<CumsumName, op::SumReduction, axis, X>>
auto cumsum(X&& x) -> R;
template <Axes, class... X, class R = Refused<CumsumName, X...>>
auto cumsum(X const&...) -> R;
template <class Name = CumsumName, class R = AxisForm<Name>>
auto cumsum(AnyExpression, NumberOrText = -1) -> R;

/// The cumulative product along one axis: 2 3 4 gives 2 6 24. Dtypes are those of `cumsum`;
/// evaluated eagerly. Its derivative is exact also at zeros. PyTorch: `cumprod`.
template <Axes axis, Expression X, WellFormed R = ScanOf<CumprodName, op::ProdReduction, axis, X>>
auto cumprod(X&& x) -> R {
  return cumprod_along(keep_value(widened<op::ProdReduction>(std::forward<X>(x))),
                       Chosen<axis, R>::value.axis());
}
template <Axes axis, Expression X, IllFormed R = ScanOf<CumprodName, op::ProdReduction, axis, X>>
auto cumprod(X&& x) -> R;
template <Axes, class... X, class R = Refused<CumprodName, X...>>
auto cumprod(X const&...) -> R;
template <class Name = CumprodName, class R = AxisForm<Name>>
auto cumprod(AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::cumprod;
using internal::cumsum;

}  // namespace tenon
