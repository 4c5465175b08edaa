#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/view/slice.hpp>

/// Parts along an axis. Nothing is copied, the parts are lazy; an operand that needs a pass is
/// evaluated once, before.
namespace tenon::compile_error {

/// The operation, the parts, the axis, the shape.
template <Spec Operation, Spec Parts, Spec Axis, Spec Shape>
struct axis_does_not_split;

}  // namespace tenon::compile_error

namespace tenon::internal {

struct SplitName {
  static constexpr std::string_view name = "split";
  static constexpr std::string_view form = "split<\"t\", 2>(x)";
};

/// `count` equal parts.
template <std::int64_t count>
struct EqualParts {
  static constexpr FixedText text = [] {
    TextWriter<FixedText::capacity> words{};
    words << count << " equal parts";
    return FixedText(words.view());
  }();
  static constexpr bool possible(Axis const& axis) {
    return count > 0 && (!axis.is_static() || axis.size % count == 0);
  }
  static constexpr Axis of(Axis const& axis) {
    if (count == 1) return axis;
    return resized(axis, quotient(symbolic_extent(axis), number_extent(count)));
  }
};

/// Parts of these sizes.
template <std::int64_t... sizes>
struct PartsOfSizes {
  static constexpr std::int64_t whole = (sizes + ...);
  static constexpr FixedText text = [] {
    TextWriter<FixedText::capacity> words{};
    std::string_view before = "";
    ((words << before << sizes, before = "+"), ...);
    return FixedText(words.view());
  }();
  static constexpr bool possible(Axis const& axis) {
    bool const fits = axis.is_static() ? axis.size == whole : whole <= axis.upper;
    return fits && ((sizes >= 0) && ...);
  }
};

template <Axes axes, class Parts, class E>
constexpr auto split_mistake() {
  using mistake = decltype(axes_mistake<SplitName, axes, 1, E>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else {
    constexpr int axis = Chosen<axes, E>::value.axis();
    if constexpr (Parts::possible(E::shape[axis])) return std::type_identity<void>{};
    else
      return std::type_identity<error::axis_does_not_split<
          spec_of_name<SplitName>, spec_of_text<Parts>, spec_of_axis<E, axis>, spec_of<E>>>{};
  }
}
template <Axes axes, class Parts, Expression X>
using SplitMistake = typename decltype(split_mistake<axes, Parts, StoredOperand<X>>())::type;

template <Axes axes, class Parts, class X>
concept Splits = std::is_void_v<SplitMistake<axes, Parts, X>>;

/// The operand as its parts store it.
template <class X>
constexpr auto keep_whole(X&& x) {
  if constexpr (is_heavy<Unqualified<X>>) return keep_value(std::forward<X>(x));
  else return hold(std::forward<X>(x));
}

/// Throws `ShapeError` unless the axis has the total size of its parts.
constexpr void check_parts(Shape const& shape, int axis, std::int64_t size, bool fits,
                           std::string_view parts) {
  if (fits) return;
  fail<ShapeError>({SplitName::name, axis_label(shape, axis), parts, std::to_string(size),
                    "\"" + std::string(format(shape).view()) + "\""});
}

/// `x` in `count` equal parts along an axis, as an array: `auto [q, k, v] = split<"e", 3>(x)`.
/// Throws `ShapeError` where a run-time size is not divisible. NumPy: `split`. PyTorch: `chunk`.
template <Axes axis, std::int64_t count, Expression X>
  requires Splits<axis, EqualParts<count>, X&&>
constexpr auto split(X&& x) {
  using Parts = EqualParts<count>;
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const whole = keep_whole(std::forward<X>(x));
  std::int64_t const size = at(whole.sizes(), along), part = size / count;
  check_parts(whole.shape, along, size, size % count == 0, Parts::text.view());
  return [&]<std::int64_t... k>(std::integer_sequence<std::int64_t, k...>) {
    return std::array{sliced<Axes(along), Parts>(whole, k * part, (k + 1) * part)...};
  }(std::make_integer_sequence<std::int64_t, count>());
}
template <Axes axis, std::int64_t count, Expression X,
          class R = SplitMistake<axis, EqualParts<count>, X&&>>
  requires(!std::is_void_v<R>)
auto split(X&& x) -> R;

/// `x` in parts of these sizes along an axis, as a tuple: `auto [a, b] = split<"t", 3, 5>(x)`.
/// Throws `ShapeError` where a run-time size is not their sum. PyTorch: `split(x, [3, 5])`.
template <Axes axis, std::int64_t first, std::int64_t second, std::int64_t... rest, Expression X>
  requires Splits<axis, PartsOfSizes<first, second, rest...>, X&&>
constexpr auto split(X&& x) {
  using Parts = PartsOfSizes<first, second, rest...>;
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const whole = keep_whole(std::forward<X>(x));
  std::int64_t const size = at(whole.sizes(), along);
  check_parts(whole.shape, along, size, size == Parts::whole, Parts::text.view());
  std::int64_t end = 0;
  auto const next = [&]<std::int64_t part>(std::integral_constant<std::int64_t, part>) {
    end += part;
    return sliced<Axes(along), StaticLength<part>>(whole, end - part, end);
  };
  return std::tuple{next(std::integral_constant<std::int64_t, first>{}),
                    next(std::integral_constant<std::int64_t, second>{}),
                    next(std::integral_constant<std::int64_t, rest>{})...};
}
template <Axes axis, std::int64_t first, std::int64_t second, std::int64_t... rest, Expression X,
          class R = SplitMistake<axis, PartsOfSizes<first, second, rest...>, X&&>>
  requires(!std::is_void_v<R>)
auto split(X&& x) -> R;
template <Axes, std::int64_t..., class X, class R = Refused<SplitName, X>>
auto split(X const&) -> R;
template <class Name = SplitName, class R = AxisForm<Name>>
auto split(AnyExpression, NumberOrText, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::split;

}  // namespace tenon
