#pragma once

#include <array>
#include <cstdint>

#include <tenon/expr/node.hpp>
#include <tenon/expr/view/views.hpp>

/// The index maps of maps and views over inline tensors, all at compile time.
namespace tenon::internal {

/// Whether a small expression consists of maps and views alone. (For a 16-bit dtype, computed
/// values and adjoints take twice the bytes.)
template <class E>
inline constexpr bool is_inline_expression = false;
template <TensorType E>
inline constexpr bool is_inline_expression<E> =
    E::holds_elements && is_inline(E::shape, sizeof(Computed<typename E::value_type>));
template <class T>
inline constexpr bool is_inline_expression<ConstantNode<T>> = true;
template <class Op, class... E>
inline constexpr bool is_inline_expression<Elementwise<Op, E...>> =
    is_small<Elementwise<Op, E...>> && (is_inline_expression<E> && ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool is_inline_expression<IndexMap<E, order, S>> =
    is_small<IndexMap<E, order, S>> && is_inline_expression<E>;

/// The axes of an operand for those of a map; -1: the operand is constant along the axis.
constexpr AxisMap axes_on_operand(AxisMap const& of_operand, int rank) {
  AxisMap axes = no_axes();
  for (int i = 0; i < rank; ++i) {
    int const axis = of_operand[static_cast<std::size_t>(i)];
    if (axis >= 0) axes[static_cast<std::size_t>(axis)] = static_cast<std::int8_t>(i);
  }
  return axes;
}

/// The axes of operand k of a map for the axes of a walk; `axes` are those of the map.
template <PackedMap axes, std::size_t k, class Node, class E>
inline constexpr PackedMap axes_of_operand =
    packed(followed(unpacked(axes), axes_on_operand(Node::types::maps[k], E::shape.rank)));
template <PackedMap axes, class E>
inline constexpr PackedMap axes_of_index_map = packed(followed(unpacked(axes), E::order));

/// The strides of a tensor along the axes of a walk.
template <class E, PackedMap axes>
inline constexpr Sizes inline_steps = [] {
  Sizes const own = row_major(static_sizes(E::shape), E::rank);
  AxisMap const map = unpacked(axes);
  Sizes walked{};
  for (int i = 0; i < max_rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis >= 0) at(walked, i) = at(own, axis);
  }
  return walked;
}();

/// Whether every tensor of an expression walks the axes `axis` and `axis + 1` as one.
template <PackedMap axes, class E>
constexpr bool walks_as_one(E const*, Sizes const& sizes, int axis) {
  if constexpr (is_constant<E>) return true;
  else {
    Sizes const steps = inline_steps<E, axes>;
    return at(steps, axis) == at(steps, axis + 1) * at(sizes, axis + 1);
  }
}
template <PackedMap axes, class Op, class... E>
constexpr bool walks_as_one(Elementwise<Op, E...> const*, Sizes const& sizes, int axis) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return (walks_as_one<axes_of_operand<axes, k, Elementwise<Op, E...>, E>>(
                static_cast<E const*>(nullptr), sizes, axis) &&
            ...);
  }(std::index_sequence_for<E...>());
}
template <PackedMap axes, class E, PackedMap order, Spec S>
constexpr bool walks_as_one(IndexMap<E, order, S> const*, Sizes const& sizes, int axis) {
  return walks_as_one<axes_of_index_map<axes, IndexMap<E, order, S>>>(
      static_cast<E const*>(nullptr), sizes, axis);
}

/// The axes of a result that are longer than one.
constexpr AxisMap long_axes(Sizes const& sizes, int rank) {
  AxisMap axes = no_axes();
  for (int i = 0, to = 0; i < rank; ++i) {
    if (at(sizes, i) != 1) axes[static_cast<std::size_t>(to++)] = static_cast<std::int8_t>(i);
  }
  return axes;
}

/// The loop order for the elements of an expression, its axes in a given order: runs along the last
/// ones, as many as all its tensors walk as one, but none of the first `apart`.
template <class E, PackedMap order = packed(long_axes(static_sizes(E::shape), E::shape.rank)),
          int apart = 0>
struct InlineWalk {
  static constexpr PackedMap axes = order;
  static constexpr AxisMap long_ones = unpacked(order);
  static constexpr Sizes sizes = view_sizes(static_sizes(E::shape), long_ones, max_rank);
  static constexpr int rank = [] {
    int rank = 0;
    while (rank < max_rank && long_ones[static_cast<std::size_t>(rank)] >= 0) ++rank;
    return rank;
  }();
  static constexpr int outer_rank = [] {
    int first = rank > apart ? rank - 1 : apart;
    while (first > apart && walks_as_one<axes>(static_cast<E const*>(nullptr), sizes, first - 1))
      --first;
    return first;
  }();
  static constexpr std::int64_t elements = count(sizes, rank);
  static constexpr std::int64_t runs = count(sizes, outer_rank);
  static constexpr std::int64_t run = runs == 0 ? 0 : elements / runs;
};

/// The offsets in a tensor at which the runs of a walk begin, and the step along them.
template <class W, class E, PackedMap axes>
struct InlinePlaces {
  static constexpr Sizes const& steps = inline_steps<E, axes>;
  static constexpr std::int64_t step = W::rank > 0 ? at(steps, W::rank - 1) : 0;
  static constexpr auto begins = [] {
    std::array<std::int16_t, static_cast<std::size_t>(W::runs)> begins{};
    for (std::size_t i = 0; i < begins.size(); ++i) {
      ElementIndex const at = unravel(static_cast<std::int64_t>(i), W::sizes, W::outer_rank);
      begins[i] = static_cast<std::int16_t>(offset(steps, at, W::outer_rank));
    }
    return begins;
  }();
};

/// The offsets in a tensor of `size` elements of a walk, from number `begin` on.
template <class W, class E, PackedMap axes, int begin, int size>
struct GroupPlaces {
  static constexpr int left = static_cast<int>(W::elements) - begin;
  static constexpr int count = left < size ? left : size;  ///< The values of the others are
                                                           ///< unspecified.

  /// The element at each offset. (After the last one the first ones repeat: a periodic shuffle is
  /// cheaper.)
  static constexpr auto order = [] {
    std::array<int, static_cast<std::size_t>(size)> order{};
    for (int i = 0; i < size; ++i) {
      ElementIndex const at = unravel((begin + i) % W::elements, W::sizes, W::rank);
      order[static_cast<std::size_t>(i)] =
          static_cast<int>(offset(inline_steps<E, axes>, at, W::rank));
    }
    return order;
  }();

  /// The number of elements of the tensor that a walk spans.
  static constexpr int extent = [] {
    std::int64_t last = 0;
    for (int i = 0; i < W::rank; ++i) last += (at(W::sizes, i) - 1) * at(inline_steps<E, axes>, i);
    return static_cast<int>(last + 1);
  }();

  static constexpr int first = order[0];
  static constexpr bool is_in_order = [] {
    for (int i = 0; i < count; ++i)
      if (order[static_cast<std::size_t>(i)] != first + i) return false;
    return true;
  }();
};

}  // namespace tenon::internal
