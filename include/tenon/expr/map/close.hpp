#pragma once

#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/op/predicate.hpp>

/// Comparison within a tolerance.
namespace tenon::internal {

/// The tolerance of a comparison: `absolute`, and `relative` to the second number.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-8;
};

/// A mask: |a - b| <= absolute + relative |b|; equal infinities are close, NaN never is. NumPy,
/// PyTorch: `isclose`.
template <Expression A, Expression B>
  requires std::floating_point<typename Unqualified<A>::value_type> &&
           (!Mistake<MapOf<op::Sub, A const&, B const&>>)
constexpr auto isclose(A const& a, B const& b, Tolerance tolerance = {}) {
  using T = typename Unqualified<A>::value_type;
  auto const most = T(tolerance.absolute) + T(tolerance.relative) * abs(b);
  return (a == b) || (isfinite(b) && abs(a - b) <= most);
}
template <class A, class B, Mistake R = MapOf<op::Sub, A const&, B const&>>
auto isclose(A const& a, B const& b, Tolerance tolerance = {}) -> R;
template <class... X, class R = Refused<Named<"isclose">, X...>>
auto isclose(X const&...) -> R;

/// Whether all elements are close, as by `isclose`: a `bool`. PyTorch: `allclose`.
template <Expression A, Expression B>
  requires requires(A const& a, B const& b) { isclose(a, b).sizes(); }
constexpr bool allclose(A const& a, B const& b, Tolerance tolerance = {}) {
  return all(isclose(a, b, tolerance)).item();
}
template <class A, class B, Mistake R = MapOf<op::Sub, A const&, B const&>>
auto allclose(A const& a, B const& b, Tolerance tolerance = {}) -> R;
template <class... X, class R = Refused<Named<"allclose">, X...>>
auto allclose(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::allclose;
using internal::isclose;

}  // namespace tenon
