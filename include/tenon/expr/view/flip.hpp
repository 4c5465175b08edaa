#pragma once

#include <algorithm>

#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/stepped.hpp>
#include <tenon/op/function.hpp>

/// Reversed and strided axes. Nothing is copied; an expression is evaluated first.
namespace tenon::internal {

struct FlipName {
  static constexpr std::string_view name = "flip";
};

template <Axes axes, class E>
struct FlipRule {
  static constexpr AxisChoice chosen = Chosen<axes, E>::value;
  static constexpr Shape const& shape = E::shape;
  static constexpr bool by_one = shape.rank > 0 && !chosen[shape.rank - 1];
};

template <Axes axes, class E>
constexpr auto flip_type() {
  if constexpr (!Chosen<axes, E>::ok) return std::type_identity<ChoiceMistake<FlipName, axes, E>>{};
  else return std::type_identity<SteppedBy<FlipRule<axes, E>, E>>{};
}
template <Axes axes, Expression X>
using Flipped = typename decltype(flip_type<axes, StoredOperand<X>>())::type;

/// `x` with the elements along some axes, or all, in reverse order: `flip<"t">(x)`. PyTorch,
/// NumPy: `flip`, `x[::-1]`.
template <Axes axes = every, Expression X, WellFormed Result = Flipped<axes, X&&>>
constexpr auto flip(X&& x) -> Result {
  Sizes const sizes = x.sizes();
  SliceSteps steps{row_major(sizes, Result::shape.rank)};
  for (int i = 0; i < Result::shape.rank; ++i) {
    if (!Chosen<axes, Unqualified<X>>::value[i]) continue;
    std::int64_t& step = at(steps.along, i);
    steps.start += std::max<std::int64_t>(at(sizes, i) - 1, 0) * step;
    step = -step;
  }
  return Result(keep_value(std::forward<X>(x)), sizes, steps);
}
template <Axes axes = every, Expression X, IllFormed Result = Flipped<axes, X&&>>
auto flip(X&& x) -> Result;
template <Axes axes>
struct FlipCall : FlipName, AllBut<axes> {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(flip<axes>(std::forward<X>(x)...)) {
    return flip<axes>(std::forward<X>(x)...);
  }
};
template <Axes axes = every, class... X>
  requires Dispatches<FlipCall<axes>, X&&...>
auto flip(X&&... x) {
  return Dispatch<FlipCall<axes>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes = every, class... X, class R = Refused<FlipCall<axes>, X...>>
auto flip(X const&...) -> R;
template <class Name = FlipName, class R = AxisForm<Name>>
auto flip(AnyExpression, NumberOrText) -> R;

/// An axis reduced to every `step`th element.
constexpr Axis every_nth(Axis const& axis, std::int64_t step) {
  if (step == 1) return axis;
  return resized(axis,
                 quotient(symbolic_extent(axis) + number_extent(step - 1), number_extent(step)));
}

template <Axes axes, class Sliced, std::int64_t step, class E>
struct StrideRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape =
      with_axis(E::shape, axis, every_nth(Sliced::of(E::shape[axis]), step));
  static constexpr bool by_one = axis != E::shape.rank - 1 || step == 1;
};

template <Axes axes, class Sliced, std::int64_t step, class E>
constexpr auto stride_type() {
  static_assert(step > 0, "tenon::slice: the step is below one; flip walks backward");
  using mistake = typename decltype(slice_mistake<axes, Sliced, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<SteppedBy<StrideRule<axes, Sliced, step, E>, E>>{};
}
template <Axes axes, std::int64_t begin, std::int64_t end, std::int64_t step, Expression X>
using SlicedInSteps =
    typename decltype(stride_type<axes, StaticRange<begin, end>, step, StoredOperand<X>>())::type;

/// Every `step`th element of a range of one axis: `slice<"t", 0, to_end, 2>(x)` gives an axis
/// "(t+1)//2". Throws `IndexError`. PyTorch, NumPy: `x[::2]`.
template <Axes axis, std::int64_t begin, std::int64_t end, std::int64_t step, Expression X,
          WellFormed Result = SlicedInSteps<axis, begin, end, step, X&&>>
constexpr auto slice(X&& x) -> Result {
  using Sliced = StaticRange<begin, end>;
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  Sizes sizes = x.sizes();
  SliceSteps steps{row_major(sizes, Result::shape.rank)};
  std::int64_t const size = at(sizes, along), first = Sliced::range.begin.in(size);
  std::int64_t const last = Sliced::range.end.in(size);
  check_range(Unqualified<X>::shape, along, size, first, last);
  steps.start = first * at(steps.along, along);
  at(steps.along, along) *= step;
  at(sizes, along) = (last - first + step - 1) / step;
  return Result(keep_value(std::forward<X>(x)), sizes, steps);
}
template <Axes axis, std::int64_t begin, std::int64_t end, std::int64_t step, Expression X,
          IllFormed Result = SlicedInSteps<axis, begin, end, step, X&&>>
auto slice(X&& x) -> Result;

}  // namespace tenon::internal

namespace tenon {

using internal::flip;
using internal::slice;

}  // namespace tenon
