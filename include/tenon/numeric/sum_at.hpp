#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tenon/eval/along_axis/replace.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/gather/take_along.hpp>

/// Sums at positions along an axis. Equal positions are added in order, so a result always has the
/// same bits.
namespace tenon::internal {

/// A sum at positions: slices along an axis at `ids`, or, of `each`, single elements.
template <TensorType R, bool each>
struct SumAtPositions {
  Sizes sizes;
  AxisRows axis;

  template <class V, class I>
  R operator()(V const& values, I const& ids) const {
    using T = typename R::value_type;
    R y = R::uninitialised(sizes);
    T* const to = y.own_memory();
    std::fill_n(to, y.size(), T{});
    T const* from = stored_elements(values);
    auto const* const id = stored_elements(ids);
    std::int64_t const lines = axis.outer * axis.inner;
    std::int64_t const given = !each ? ids.size() : lines == 0 ? 0 : values.size() / lines;
    for (std::int64_t o = 0; o < axis.outer; ++o)
      for (std::int64_t k = 0; k < given; ++k)
        for (std::int64_t i = 0; i < axis.inner; ++i) {
          std::int64_t const place = each ? (o * given + k) * axis.inner + i : k;
          auto const row = o * axis.rows + static_cast<std::int64_t>(id[place]);
          T& sum = to[row * axis.inner + i];
          sum = op::Add::f(sum, *from++);
        }
    return y;
  }
};

/// `values` added to zeros of the type `R` at positions along an axis, with the gradient, which is
/// the elements of the adjoint there.
template <TensorType R, int axis, bool each, TensorType V, TensorType I>
R sum_at(V const& values, I const& ids, Sizes const& sizes) {
  using T = typename R::value_type;
  using Host = OnDevice<R, Cpu>;
  auto const forward = [=](V const& given) -> R {
    SumAtPositions<Host, each> const sum{sizes, rows_along(sizes, R::rank, axis)};
    return moved_to<typename R::device>(sum(moved_to<Cpu>(given), moved_to<Cpu>(ids)));
  };
  if constexpr (!InexactType<T>) return forward(values);
  else {
    auto const backward = [=](R const& dy, R const&, V const&) -> V {
      if constexpr (each) return relabelled<V>(eval(take_along<Axes(axis)>(dy, ids)));
      else return relabelled<V>(eval(take<Axes(axis)>(dy, ids)));
    };
    return custom_vjp(forward, backward)(values);
  }
}

/// Names the reason why `V` is not added to slices of `E` at `I`, or to elements; `void` where it
/// is.
template <class Name, Axes axis, bool each, class E, class I, class V>
constexpr auto sum_mistake() {
  using chosen = typename decltype(axes_mistake<Name, axis, 1, E>())::type;
  using T = typename E::value_type;
  if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (!NumType<T> || HalfType<T>) return dtype_mistake<Name, E>();
  else if constexpr (!std::same_as<T, typename V::value_type>) return dtype_mistake<Name, E, V>();
  else if constexpr (!IntegerType<typename I::value_type>) return dtype_mistake<Name, I>();
  else if constexpr (!DevicesMeet<E, V> || !DevicesMeet<E, I>)
    return device_mistake<Name, E, V, I>();
  else {
    constexpr int along = Chosen<axis, E>::value.axis();
    if constexpr (!each) {
      using Rule = ReplacementRule<E, I, along>;
      if constexpr (!assignable(Rule::shape, V::shape)) return assignment_mistake<Name, Rule, V>();
      else return std::type_identity<void>{};
    } else if constexpr (!LiesAlong<E, I, along> || !assignable(I::shape, V::shape)) {
      return shapes_differ<Name, E, I>();
    } else return std::type_identity<void>{};
  }
}
template <class Name, Axes axis, bool each, Expression X, Expression I, Expression V>
using SumMistake =
    typename decltype(sum_mistake<Name, axis, each, TensorOf<X>, TensorOf<I>, TensorOf<V>>())::type;
template <class Name, Axes axis, bool each, class X, class I, class V>
concept AddsAt = Expression<X> && Expression<I> && Expression<V> &&
                 std::is_void_v<SumMistake<Name, axis, each, X, I, V>>;

}  // namespace tenon::internal
