#pragma once

#include <array>

#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/stepped.hpp>

/// Sliding windows along an axis, and rolled axes. Windows are not copied.
namespace tenon::internal {

struct WindowName {
  static constexpr std::string_view name = "window";
  static constexpr std::string_view form = "window<\"t\", 3>(x)";
};
struct RollName {
  static constexpr std::string_view name = "roll";
  static constexpr std::string_view form = "roll<\"t\">(x, 1)";
};

/// Windows of `length` elements, `dilation` apart, of which every `stride`th is taken.
template <std::int64_t length_, std::int64_t stride_, std::int64_t dilation_>
struct WindowSteps {
  static_assert(length_ > 0 && stride_ > 0 && dilation_ > 0, "tenon::window: a number below one");
  static constexpr std::int64_t length = length_, stride = stride_, dilation = dilation_;
  static constexpr std::int64_t reach = (length - 1) * dilation + 1;
  static constexpr FixedText text = range_text(0, reach);

  static constexpr bool possible(Axis const& axis) {
    return reach <= (axis.is_static() ? axis.size : axis.upper);
  }
  /// The number of windows along an axis.
  static constexpr Axis of(Axis const& axis) {
    if (stride == 1) return plus(axis, 1 - reach);
    AxisExtent const starts = symbolic_extent(axis) + number_extent(stride - reach);
    return resized(axis, quotient(starts, number_extent(stride)));
  }
};

template <Axes axes, class Slid, class E>
struct WindowRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr int rank = E::shape.rank;
  static constexpr Shape windows = with_axis(E::shape, axis, Slid::of(E::shape[axis]));
  static constexpr Shape shape = inserted(windows, rank, named_axis("window", Slid::length));
  static constexpr AxisMap order = [] {
    AxisMap map = same_order(rank);
    map[static_cast<std::size_t>(rank)] = static_cast<std::int8_t>(axis);
    return map;
  }();
  static constexpr bool by_one = Slid::dilation == 1 && axis == rank - 1;
};

/// The error of a rank above the maximum.
struct NoRoom {
  static constexpr FixedText text = "a tensor has at most eight axes";
};

template <Axes axes, class Slid, class E>
constexpr auto window_mistake() {
  using mistake = decltype(axes_mistake<WindowName, axes, 1, E>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else if constexpr (E::shape.rank == max_rank)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<WindowName>, spec_of_text<NoRoom>, spec_of_text<NamesOf<axes>>, spec_of<E>>>{};
  else {
    constexpr int axis = Chosen<axes, E>::value.axis();
    if constexpr (Slid::possible(E::shape[axis])) return std::type_identity<void>{};
    else
      return std::type_identity<error::range_is_outside<
          spec_of_name<WindowName>, spec_of_text<Slid>, spec_of_axis<E, axis>, spec_of<E>>>{};
  }
}
template <Axes axes, class Slid, Expression X>
using WindowMistake = typename decltype(window_mistake<axes, Slid, StoredOperand<X>>())::type;

/// The sizes of windows. Throws `IndexError` where none fits into the axis.
template <class Rule, class Slid>
constexpr Sizes window_sizes(Shape const& shape, Sizes const& from) {
  Sizes sizes = from;
  std::int64_t& along = at(sizes, Rule::axis);
  check_range(shape, Rule::axis, along, 0, Slid::reach, WindowName::name);
  along = (along - Slid::reach) / Slid::stride + 1;
  at(sizes, Rule::rank) = Slid::length;
  return sizes;
}

template <class Rule, class Slid, class X>
constexpr auto stepped_windows(X&& x, Sizes const& sizes) {
  SliceSteps steps{row_major(x.sizes(), Rule::rank)};
  std::int64_t& step = at(steps.along, Rule::axis);
  at(steps.along, Rule::rank) = step * Slid::dilation;
  step *= Slid::stride;
  steps.overlaps = Slid::length > 1 && Slid::stride < Slid::reach;
  return SteppedBy<Rule, Unqualified<X>>(keep_value(std::forward<X>(x)), sizes, steps);
}

/// Windows of `size` elements that slide along an axis, as a new last axis: "batch t" gives "batch
/// t-2 window=3" by `window<"t", 3>(x)`. Every `stride`th window is taken; the elements of a window
/// are `dilation` apart. Throws `IndexError` where none fits. PyTorch: `unfold`. NumPy:
/// `sliding_window_view`.
template <Axes axis, std::int64_t size, std::int64_t stride = 1, std::int64_t dilation = 1,
          Expression X>
  requires std::is_void_v<WindowMistake<axis, WindowSteps<size, stride, dilation>, X&&>>
constexpr auto window(X&& x) {
  using Slid = WindowSteps<size, stride, dilation>;
  using Rule = WindowRule<axis, Slid, StoredOperand<X&&>>;
  Sizes const sizes = window_sizes<Rule, Slid>(Unqualified<X>::shape, x.sizes());
  if constexpr (stride == 1 && dilation == 1) return index_map<Rule>(std::forward<X>(x), sizes);
  else return stepped_windows<Rule, Slid>(std::forward<X>(x), sizes);
}
template <Axes axis, std::int64_t size, std::int64_t stride = 1, std::int64_t dilation = 1,
          Expression X, class R = WindowMistake<axis, WindowSteps<size, stride, dilation>, X&&>>
  requires(!std::is_void_v<R>)
auto window(X&& x) -> R;
template <Axes axis, std::int64_t... numbers>
struct WindowCall : WindowName, AllBut<axis> {
  template <class... X>
  constexpr auto operator()(X&&... x) const
      -> decltype(window<axis, numbers...>(std::forward<X>(x)...)) {
    return window<axis, numbers...>(std::forward<X>(x)...);
  }
};
template <Axes axis, std::int64_t... numbers, class... X>
  requires Dispatches<WindowCall<axis, numbers...>, X&&...>
auto window(X&&... x) {
  return Dispatch<WindowCall<axis, numbers...>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axis, std::int64_t... numbers, class... X,
          class R = Refused<WindowCall<axis, numbers...>, X...>>
auto window(X const&...) -> R;
template <class Name = WindowName, class R = AxisForm<Name>>
auto window(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

template <Axes axes, Expression X>
using RollMistake = typename decltype(axes_mistake<RollName, axes, 1, StoredOperand<X>>())::type;

/// The result type of `roll`. (Constrained to expressions: clang 16 substitutes the return type
/// first.)
template <Expression X>
using Rolled = TensorOf<X>;

/// `x` shifted cyclically along an axis: elements beyond the end re-enter at the beginning. A
/// negative number shifts backward. NumPy, PyTorch: `roll`.
template <Axes axis, Expression X>
  requires std::is_void_v<RollMistake<axis, X&&>>
constexpr Rolled<X> roll(X&& x, std::int64_t places) {
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const whole = keep_value(std::forward<X>(x));
  std::int64_t const size = at(whole.sizes(), along);
  if (size == 0) return whole;
  std::int64_t const first = size - (places % size + size) % size;
  std::array<ElementIndex, 2> starts{};
  at(starts[1], along) = size - first;
  return assembled(TensorOf<X>::uninitialised(whole.sizes()), starts, 0,
                   slice<Axes(along)>(whole, first, size), slice<Axes(along)>(whole, 0, first));
}
template <Axes axis, Expression X, class R = RollMistake<axis, X&&>>
  requires(!std::is_void_v<R>)
auto roll(X&& x, std::int64_t places) -> R;
template <Axes axis>
struct RollCall : RollName, AllBut<axis> {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(roll<axis>(std::forward<X>(x)...)) {
    return roll<axis>(std::forward<X>(x)...);
  }
};
template <Axes axis, class... X>
  requires Dispatches<RollCall<axis>, X&&...>
auto roll(X&&... x) {
  return Dispatch<RollCall<axis>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axis, class... X, class R = Refused<RollCall<axis>, X...>>
auto roll(X const&...) -> R;
template <class Name = RollName, class R = AxisForm<Name>>
auto roll(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::roll;
using internal::window;

}  // namespace tenon
