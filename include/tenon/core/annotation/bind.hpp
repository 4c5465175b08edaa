#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tenon/core/annotation/parse.hpp>
#include <tenon/core/rules/agree.hpp>

namespace tenon::internal {

/// The binding of a word.
struct BoundAxis {
  std::string_view name{};
  bool per_leaf = false;  ///< Of `?n`: until the next leaf of a tree.
  bool is_one = false;    ///< `#n` has matched only axes of static size 1.
  Axis axis{};            ///< What is known of its size.
  Axis own{};  ///< The axis of the shape with index `shape`, before it is merged with others.
  int shape = -1;
};

/// The binding of `*n` or `+n`.
struct BoundAxes {
  std::string_view name{};
  bool per_leaf = false;
  bool stretches = true;  ///< All its words were written with `#`.
  Shape shape{};
};

/// The bindings of the words of an annotation, in N shapes.
template <std::size_t N>
struct Bindings {
  WordMeaning words = WordMeaning::names;
  int shape = 0;  ///< The number of the shape that is being matched.
  std::array<BoundAxis, N * max_rank> axes{};
  int axis_count = 0;
  std::array<BoundAxes, N> several{};
  int several_count = 0;

  /// The index of the binding of a name, or -1.
  constexpr int find(std::string_view name) const {
    for (int i = 0; i < axis_count; ++i) {
      if (axes[static_cast<std::size_t>(i)].name == name) return i;
    }
    return -1;
  }

  constexpr int find_several(std::string_view name) const {
    for (int i = 0; i < several_count; ++i) {
      if (several[static_cast<std::size_t>(i)].name == name) return i;
    }
    return -1;
  }

  constexpr void bind(SpecToken const& token, Axis const& axis, Axis const& own) {
    int const known = find(token.name);
    bool const is_one = token.hash && axis.is_one();
    BoundAxis& bound = axes[static_cast<std::size_t>(known < 0 ? axis_count++ : known)];
    if (known < 0) {
      bound = {token.name, token.question, is_one, axis, own, shape};
    } else if (!is_one) {
      bound.axis = bound.is_one ? axis : merge(bound.axis, axis);
      bound.is_one = false;
      bound.own = own;
      bound.shape = shape;
    }
  }

  /// Removes the bindings of `?n` and `*?n`.
  constexpr void forget_leaf() {
    int const axes_before = axis_count, several_before = several_count;
    axis_count = several_count = 0;
    for (int i = 0; i < axes_before; ++i) keep(axes, axis_count, i);
    for (int i = 0; i < several_before; ++i) keep(several, several_count, i);
  }

 private:
  template <class List>
  static constexpr void keep(List& list, int& count, int i) {
    auto const bound = list[static_cast<std::size_t>(i)];
    if (!bound.per_leaf) list[static_cast<std::size_t>(count++)] = bound;
  }
};

/// Expressions over bound names, as sizes in the shape that is being matched. A name that is bound
/// in another shape is known only if it is a number.
template <std::size_t N>
struct BoundAlgebra : ExtentAlgebra {
  Bindings<N> const* bindings = nullptr;

  constexpr AxisExtent name(std::string_view name) const {
    int const known = bindings->find(name);
    if (known < 0) return unknown_extent();
    BoundAxis const& bound = bindings->axes[static_cast<std::size_t>(known)];
    if (bound.axis.is_static()) return number_extent(bound.axis.size);
    return bound.shape == bindings->shape ? symbolic_extent(bound.own) : unknown_extent();
  }
};

}  // namespace tenon::internal
