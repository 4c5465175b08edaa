#pragma once

#include <cstdint>
#include <string>

#include <tenon/core/language/writer.hpp>
#include <tenon/core/rules/join.hpp>
#include <tenon/expr/kept_axes.hpp>
#include <tenon/expr/view/views.hpp>

/// Slices: a range of one axis. Nothing is copied, the result is lazy.
namespace tenon::compile_error {

/// The operation, the range, the axis, the shape.
template <Spec Operation, Spec SliceRange, Spec Axis, Spec Shape>
struct range_is_outside;

}  // namespace tenon::compile_error

namespace tenon::internal {

struct SliceName {
  static constexpr std::string_view name = "slice";
  static constexpr std::string_view form = "slice<\"t\", 1, 9>(x)";
};

/// The end of an axis of any size: `slice<"t", 1, to_end>(x)`. NumPy: `x[1:]`.
inline constexpr std::int64_t to_end = unbounded;

/// The begin or end of a range: counted from the beginning, or back from the end.
struct Bound {
  std::int64_t offset = 0;
  bool from_end = false;

  constexpr Bound(std::int64_t at)
      : offset(at == to_end ? 0 : at), from_end(at < 0 || at == to_end) {}

  constexpr std::int64_t in(std::int64_t size) const { return from_end ? size + offset : offset; }
};

/// A static range of an axis whose size may be known at run time only.
struct SliceRange {
  Bound begin;
  Bound end;

  /// Whether the range is valid for some size of the axis.
  constexpr bool possible(Axis const& axis) const {
    if (axis.is_static()) return contained(axis.size);
    if (begin.from_end == end.from_end && end.offset < begin.offset) return false;
    return least_size() <= axis.upper;
  }

  constexpr bool contained(std::int64_t size) const {
    return 0 <= begin.in(size) && begin.in(size) <= end.in(size) && end.in(size) <= size;
  }

  constexpr std::int64_t least_size() const {
    std::int64_t const first = begin.from_end ? -begin.offset : begin.offset;
    std::int64_t const last = end.from_end ? -end.offset : end.offset;
    return begin.from_end == end.from_end ? (first > last ? first : last) : first + last;
  }

  /// The axis of the result.
  constexpr Axis of(Axis const& axis) const {
    if (axis.is_static()) return resized(axis, end.in(axis.size) - begin.in(axis.size));
    if (begin.from_end == end.from_end) return resized(axis, end.offset - begin.offset);
    return end.from_end ? plus(axis, end.offset - begin.offset) : unrelated_axis(axis.name);
  }
};

/// The text of a range: `1..9`, `1..`.
constexpr FixedText range_text(std::int64_t begin, std::int64_t end) {
  TextWriter<FixedText::capacity> text{};
  text << begin << "..";
  if (end != to_end) text << end;
  return FixedText(text.view());
}

/// Throws `IndexError` unless `begin..end` lies within an axis of this size.
constexpr void check_range(Shape const& shape, int axis, std::int64_t size, std::int64_t begin,
                           std::int64_t end, std::string_view operation = SliceName::name) {
  if (0 <= begin && begin <= end && end <= size) return;
  fail<IndexError>({operation, axis_label(shape, axis),
                    concatenate({"a range within 0..", decimal(size)}),
                    concatenate({decimal(begin), "..", decimal(end)}),
                    concatenate({"\"", format(shape).view(), "\""})});
}

/// A slice of `E` along the axis `axes`, which becomes `sliced`.
template <Axes axes, class E, class Sliced>
struct SliceRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape = with_axis(E::shape, axis, Sliced::of(E::shape[axis]));
  static constexpr AxisMap order = same_order(E::shape.rank);
};

/// Ranges as rules: the resulting axis, and whether the range is valid.
template <std::int64_t begin, std::int64_t end>
struct StaticRange {
  static constexpr SliceRange range{begin, end};
  static constexpr FixedText text = range_text(begin, end);
  static constexpr bool possible(Axis const& axis) { return range.possible(axis); }
  static constexpr Axis of(Axis const& axis) { return range.of(axis); }
};
template <std::int64_t length>
struct StaticLength {
  static constexpr FixedText text = range_text(0, length);
  static constexpr bool possible(Axis const& axis) {
    return length >= 0 && length <= (axis.is_static() ? axis.size : axis.upper);
  }
  static constexpr Axis of(Axis const& axis) { return resized(axis, length); }
};
struct AnyRange {
  static constexpr FixedText text = "";
  static constexpr bool possible(Axis const&) { return true; }
  static constexpr Axis of(Axis const& axis) { return resized(axis, dynamic); }
};

template <Axes axes, class Sliced, class E>
constexpr auto slice_mistake() {
  using mistake = decltype(axes_mistake<SliceName, axes, 1, E>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else {
    constexpr int axis = Chosen<axes, E>::value.axis();
    if constexpr (Sliced::possible(E::shape[axis])) return std::type_identity<void>{};
    else
      return std::type_identity<error::range_is_outside<
          spec_of_name<SliceName>, spec_of_text<Sliced>, spec_of_axis<E, axis>, spec_of<E>>>{};
  }
}

/// The error in a slice of `X`, or `void`.
template <Axes axes, class Sliced, Expression X>
using SliceMistake = typename decltype(slice_mistake<axes, Sliced, StoredOperand<X>>())::type;

template <Axes axes, class Sliced, class X>
concept Slices = std::is_void_v<SliceMistake<axes, Sliced, X>>;

/// The slice from `begin` on, of the length that `Sliced` or `end` gives.
template <Axes axes, class Sliced, class X>
constexpr auto sliced(X&& x, std::int64_t begin, std::int64_t end) {
  using Rule = SliceRule<axes, StoredOperand<X&&>, Sliced>;
  Sizes sizes = x.sizes();
  check_range(Unqualified<X>::shape, Rule::axis, at(sizes, Rule::axis), begin, end);
  at(sizes, Rule::axis) = end - begin;
  ElementIndex start{};
  at(start, Rule::axis) = begin;
  return index_map<Rule>(std::forward<X>(x), sizes, start);
}

/// `x` along one axis from `begin` to before `end`: `slice<"t", 1, 9>(x)`, `slice<"t", 0, -1>(x)`,
/// `slice<"t", 1, to_end>(x)`; negative numbers count from the end. The axis keeps its name and
/// has the remaining size: `t=8`, `t=t-1`. Throws `IndexError` for a run-time axis that is too
/// short. PyTorch: `x[1:9]`.
template <Axes axis, std::int64_t begin, std::int64_t end, Expression X>
  requires Slices<axis, StaticRange<begin, end>, X&&>
constexpr auto slice(X&& x) {
  using Sliced = StaticRange<begin, end>;
  std::int64_t const size = at(x.sizes(), Chosen<axis, Unqualified<X>>::value.axis());
  return sliced<axis, Sliced>(std::forward<X>(x), Sliced::range.begin.in(size),
                              Sliced::range.end.in(size));
}
template <Axes axis, std::int64_t begin, std::int64_t end, Expression X,
          class R = SliceMistake<axis, StaticRange<begin, end>, X&&>>
  requires(!std::is_void_v<R>)
auto slice(X&& x) -> R;

/// `length` elements of one axis from `start` on: `slice<"batch", 32>(x, start)`. Throws
/// `IndexError`. JAX: `dynamic_slice`. PyTorch: `narrow`.
template <Axes axis, std::int64_t length, Expression X>
  requires Slices<axis, StaticLength<length>, X&&>
constexpr auto slice(X&& x, std::int64_t start) {
  return sliced<axis, StaticLength<length>>(std::forward<X>(x), start, start + length);
}
template <Axes axis, std::int64_t length, Expression X,
          class R = SliceMistake<axis, StaticLength<length>, X&&>>
  requires(!std::is_void_v<R>)
auto slice(X&& x, std::int64_t start) -> R;

/// `x` along one axis from `begin` to before `end`, or `to_end`, given at run time: the axis
/// becomes `t=_`, and may be empty. Throws `IndexError` for an end outside of the axis.
template <Axes axis, Expression X>
  requires Slices<axis, AnyRange, X&&>
constexpr auto slice(X&& x, std::int64_t begin, std::int64_t end) {
  std::int64_t const size = at(x.sizes(), Chosen<axis, Unqualified<X>>::value.axis());
  return sliced<axis, AnyRange>(std::forward<X>(x), begin, end == to_end ? size : end);
}
template <Axes axis, Expression X, class R = SliceMistake<axis, AnyRange, X&&>>
  requires(!std::is_void_v<R>)
auto slice(X&& x, std::int64_t begin, std::int64_t end) -> R;
template <Axes axis, std::int64_t... numbers>
struct SliceCall : SliceName, AllBut<axis> {
  template <class... X>
  constexpr auto operator()(X&&... x) const
      -> decltype(slice<axis, numbers...>(std::forward<X>(x)...)) {
    return slice<axis, numbers...>(std::forward<X>(x)...);
  }
};
template <Axes axis, std::int64_t... numbers, class... X>
  requires Dispatches<SliceCall<axis, numbers...>, X&&...>
auto slice(X&&... x) {
  return Dispatch<SliceCall<axis, numbers...>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axis, std::int64_t... numbers, class... X,
          class R = Refused<SliceCall<axis, numbers...>, X...>>
auto slice(X const&...) -> R;
template <class Name = SliceName, class R = AxisForm<Name>>
auto slice(AnyExpression, NumberOrText, NumberOrText = 0, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::slice;
using internal::to_end;

}  // namespace tenon
