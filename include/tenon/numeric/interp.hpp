#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/eval/tape/leaves.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/tensor/tracing.hpp>

/// Interpolation between points of a line.
namespace tenon::internal {

struct InterpName {
  static constexpr std::string_view name = "interp";
};

/// `void`, or the name of the reason why numbers are not interpolated between points.
template <class Name, class X, class Xp, class Fp>
constexpr auto interp_mistake() {
  using product = MapOf<op::Mul, Xp const&, Fp const&>;
  if constexpr (!FloatType<typename X::value_type>) return dtype_mistake<Name, X>();
  else if constexpr (!SameDtype<X, Xp>) return dtype_mistake<Name, X, Xp>();
  else if constexpr (Xp::shape.rank != 1) return rank_mistake<Name, Xp, 1>();
  else if constexpr (Fp::shape.rank != 1) return rank_mistake<Name, Fp, 1>();
  else if constexpr (Mistake<product>) return std::type_identity<product>{};
  else return std::type_identity<void>{};
}
template <Expression X, Expression Xp, Expression Fp>
using InterpMistake =
    typename decltype(interp_mistake<InterpName, TensorOf<X>, TensorOf<Xp>, TensorOf<Fp>>())::type;

/// For each x the interval of ascending points in which it is: 0 to the number of points - 2.
template <TensorType X, TensorType Xp>
auto intervals_of(X const& x, Xp const& points) {
  using Places = Tensor<std::int64_t, X::spec, Cpu>;
  auto const at = moved_to<Cpu>(unmarked_leaves(x));
  auto const line = moved_to<Cpu>(unmarked_leaves(points));
  auto const *const first = line.data(), *const last = first + line.size();
  Places places = Places::uninitialised(x.sizes());
  auto* const to = places.own_memory();
  for (std::int64_t i = 0; i < x.size(); ++i) {
    std::int64_t const above = std::upper_bound(first, last, at.data()[i]) - first;
    to[i] = std::clamp<std::int64_t>(above - 1, 0, line.size() - 2);
  }
  return moved_to<typename X::device>(places);
}

/// The piecewise linear function through the points (xp, fp) at x: xp and fp are "n", xp ascends, x
/// has any axes, which the result has. Outside of the points it is constant. Gradients reach x, xp
/// and fp. Throws `ValueError` for fewer than two points, `ShapeError` where xp and fp differ in
/// size. NumPy, JAX: `interp`.
template <Expression X, Expression Xp, Expression Fp>
  requires std::is_void_v<InterpMistake<X const&, Xp const&, Fp const&>>
auto interp(X const& x, Xp const& xp, Fp const& fp) {
  tracing::refuse_while_on(InterpName::name);
  auto const at = eval(x);
  auto const points = eval(xp);
  auto const values = eval(fp);
  if (values.size() != points.size())
    sizes_differ(InterpName::name, TensorOf<Fp>::shape, 0, points.size(), values.size());
  if (points.size() < 2) throw ValueError("tenon::interp: expected two points or more");
  auto const below = intervals_of(at, points);
  auto const above = eval(below + 1);
  auto const left = eval(take<0>(points, below));
  auto const share = clamp((at - left) / (take<0>(points, above) - left), 0, 1);
  auto const low = eval(take<0>(values, below));
  return eval(low + share * (take<0>(values, above) - low));
}
template <Expression X, Expression Xp, Expression Fp,
          class R = InterpMistake<X const&, Xp const&, Fp const&>>
  requires(!std::is_void_v<R>)
auto interp(X const& x, Xp const& xp, Fp const& fp) -> R;
template <class... X, class R = Refused<InterpName, X...>>
auto interp(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::interp;

}  // namespace tenon
