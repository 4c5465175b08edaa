#pragma once

#include <tenon/core/rules/join.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/kept_axes.hpp>
#include <tenon/expr/view/views.hpp>

namespace tenon::internal {

struct PadName {
  static constexpr std::string_view name = "pad";
  static constexpr std::string_view form = "pad<\"t\", 1, 1>(x)";
};

/// A shape whose chosen axes are longer by `by`.
constexpr Shape lengthened(Shape const& shape, AxisChoice const& chosen, std::int64_t by) {
  Shape result{};
  AxisMap to = same_order(shape.rank);
  for (int i = 0; i < shape.rank; ++i) {
    if (chosen[i] && by != 0) to[static_cast<std::size_t>(i)] = -1;
    result[result.rank++] = chosen[i] ? plus(shape[i], by) : shape[i];
  }
  return resolve(without_captures(result, shape, to)).shape;
}

/// A box of a row-major tensor: its sizes, those of the tensor, and where it begins.
struct Box {
  Sizes inside, whole;
  ElementIndex start;
  int rank;

  constexpr std::int64_t behind(int axis) const {
    return at(whole, axis) - at(start, axis) - at(inside, axis);
  }
  /// The number of axes up to the last one that is longer than the box.
  constexpr int axes() const {
    int i = rank;
    while (i > 0 && at(inside, i - 1) == at(whole, i - 1)) --i;
    return i;
  }
};

/// Sets the elements outside a box to one value, along `axis` and the next ones of `axes`, and
/// calls `inside(to, count)` for each contiguous run inside, in order.
template <class T, class F>
void fill_outside(T* to, Box const& box, Sizes const& steps, int axis, int axes, T const& value,
                  F const& inside) {
  if (axis == axes) return;
  std::int64_t const step = at(steps, axis), length = at(box.inside, axis);
  to = std::fill_n(to, at(box.start, axis) * step, value);
  if (axis + 1 == axes) inside(to, length * step), to += length * step;
  else
    for (std::int64_t i = 0; i < length; ++i, to += step)
      fill_outside(to, box, steps, axis + 1, axes, value, inside);
  std::fill_n(to, box.behind(axis) * step, value);
}

/// Whether the elements of `E` are copied to those of `R`, not computed.
template <class E, class R>
concept CopiedTo = TensorType<E> && E::device::is_host &&
                   std::same_as<typename E::value_type, typename R::value_type>;

/// A tensor with the values of an expression in a box that begins at `start`, and `value` in all
/// other elements, which alone are filled. (A trace records a tensor that is filled whole.)
template <TensorType R, class E>
constexpr R surrounded(Sizes const& sizes, ElementIndex const& start, E const& x,
                       typename R::value_type value) {
  std::array<ElementIndex, 1> const starts{{start}};
  R result = R::uninitialised(sizes);
  if (__builtin_is_constant_evaluated() || tracing::is_on())
    return assembled(filled(std::move(result), value), starts, 0, x);
  Box const box{x.sizes(), sizes, start, R::rank};
  if constexpr (CopiedTo<E, R>) return pad_by_copy(std::move(result), box, x, value);
  else {
    result.set_elements([&](auto* to) {
      fill_outside(to, box, row_major(sizes, R::rank), 0, box.axes(), value,
                   [](auto*, std::int64_t) {});
    });
    return assembled(std::move(result), starts, 0, x);
  }
}

template <Axes axes, std::int64_t before, std::int64_t after, class E>
struct PadRule {
  static constexpr AxisChoice const& chosen = Chosen<axes, E>::value;
  static constexpr Shape shape = lengthened(E::shape, chosen, before + after);
};

template <Axes axes, std::int64_t before, std::int64_t after, class E>
constexpr auto pad_type() {
  static_assert(before >= 0 && after >= 0, "tenon::pad: a negative number; slice cuts");
  using T = typename E::value_type;
  if constexpr (Chosen<axes, E>::value.count < 1) return axes_mistake<PadName, axes, 1, E>();
  else
    return std::type_identity<
        Tensor<T, spec_of<PadRule<axes, before, after, E>>, typename E::device>>{};
}

/// The tensor that `pad` returns, or an undefined type that names the error.
template <Axes axes, std::int64_t before, std::int64_t after, Expression X>
using Padded = typename decltype(pad_type<axes, before, after, StoredOperand<X>>())::type;

/// `x` padded with `before` and `after` entries of `value` at the ends of an axis, or of several:
/// "t" becomes "t=t+2" by `pad<"t", 1, 1>(x)`, an image gets a border by `pad<"height width", 1,
/// 1>(x)`. Throws `ValueError` for a number outside the range of an integer dtype. PyTorch: `pad`.
template <Axes axes, std::int64_t before, std::int64_t after, Expression X,
          class V = typename Unqualified<X>::value_type,
          WellFormed R = Padded<axes, before, after, X&&>>
  requires std::constructible_from<typename Unqualified<X>::value_type, V>
constexpr auto pad(X&& x, V value = {}) -> R {
  using Rule = PadRule<axes, before, after, StoredOperand<X&&>>;
  using T = typename R::value_type;
  check_number<T>(PadName::name, value);
  Sizes sizes = x.sizes();
  ElementIndex start{};
  for (int i = 0; i < R::shape.rank; ++i) {
    at(sizes, i) += Rule::chosen[i] ? before + after : 0;
    at(start, i) = Rule::chosen[i] ? before : 0;
  }
  return surrounded<R>(sizes, start, hold(std::forward<X>(x)), static_cast<T>(value));
}
template <Axes axes, std::int64_t before, std::int64_t after, Expression X, class... V,
          IllFormed R = Padded<axes, before, after, X&&>>
auto pad(X&& x, V... value) -> R;
template <Axes axes, std::int64_t before, std::int64_t after>
struct PadCall : PadName, AllBut<axes> {
  template <class... X>
  constexpr auto operator()(X&&... x) const
      -> decltype(pad<axes, before, after>(std::forward<X>(x)...)) {
    return pad<axes, before, after>(std::forward<X>(x)...);
  }
};
template <Axes axes, std::int64_t before, std::int64_t after, class... X>
  requires Dispatches<PadCall<axes, before, after>, X&&...>
auto pad(X&&... x) {
  return Dispatch<PadCall<axes, before, after>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axes, std::int64_t before, std::int64_t after, class... X,
          class R = Refused<PadCall<axes, before, after>, X...>>
auto pad(X const&...) -> R;
template <class Name = PadName, class R = AxisForm<Name>>
auto pad(AnyExpression, NumberOrText, NumberOrText = 0, NumberOrText = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::pad;

}  // namespace tenon
