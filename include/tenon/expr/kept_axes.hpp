#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/expr/axes.hpp>

/// Of functions that work along some axes: which axes of an operand the result keeps, entries
/// included. Such a function applies to parts of a tensor along the others.
namespace tenon::internal {

/// All axes but one, in order.
constexpr AxisMap order_without(int rank, int axis) {
  AxisMap order = no_axes();
  for (int i = 0; i + 1 < rank; ++i)
    order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i < axis ? i : i + 1);
  return order;
}

/// The first operand's choice of a named axis.
template <Axes axes, class... E>
constexpr AxisChoice first_choice() {
  AxisChoice const choices[]{choose(E::shape, axes)...};
  for (AxisChoice const& one : choices)
    if (one.result == AxisSearch::ok) return one;
  return choices[0];
}

/// All but those along which the function works. `order`: for each axis of the result that of the
/// operands, or -1.
template <Axes axes>
struct AllBut {
  template <class E, class... Rest>
  static constexpr AxisMap order() {
    AxisMap order = same_order(E::shape.rank);
    AxisChoice const chosen = first_choice<axes, E, Rest...>();
    for (std::size_t i = 0; i < max_rank; ++i)
      if (chosen.has[i]) order[i] = -1;
    return order;
  }
};

/// All but one, which the result does not have.
template <Axes axes>
struct Without {
  template <class E>
  static constexpr AxisMap order() {
    return order_without(E::shape.rank, choose(E::shape, axes).axis());
  }
};

/// All, beside a new axis at a position; a negative one counts from the end.
template <int position>
struct BesideNew {
  template <class E, class... Rest>
  static constexpr AxisMap order() {
    int const place = position < 0 ? E::shape.rank + 1 + position : position;
    AxisMap order = no_axes();
    for (int i = 0; i < E::shape.rank && i + 1 < max_rank; ++i)
      order[static_cast<std::size_t>(i < place ? i : i + 1)] = static_cast<std::int8_t>(i);
    return order;
  }
};

}  // namespace tenon::internal
