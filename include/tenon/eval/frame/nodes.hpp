#pragma once

#include <array>
#include <utility>

#include <tenon/eval/frame/map.hpp>

/// The maps of a formula as a list: what a loop computes for a few elements is one expression over
/// this list, instead of nested function calls, one per map.
namespace tenon::internal {

/// Frames in post-order: the operands of a map, then the map. Those that are not maps are inputs.
template <class... F>
struct FrameNodes {
  static constexpr std::size_t size = sizeof...(F);
};
template <class... A, class... B>
FrameNodes<A..., B...> operator+(FrameNodes<A...>, FrameNodes<B...>);

template <class F>
struct NodesOfFrame {
  using type = FrameNodes<F>;
  using inputs = FrameNodes<F>;
};
template <class F>
using NodesOf = typename NodesOfFrame<F>::type;
/// The frames of a formula that are not maps, in order.
template <class F>
using InputsOf = typename NodesOfFrame<F>::inputs;

template <class M, class Op, class... F>
struct NodesOfFrame<MapFrame<M, Op, F...>> {
  using type = decltype((NodesOf<F>() + ... + FrameNodes<MapFrame<M, Op, F...>>()));
  using inputs = decltype((InputsOf<F>() + ... + FrameNodes<>()));
};

/// Element i of a structure with one element per node or input of a formula: `nth<i>(elements)`.
template <std::size_t i, class T>
struct Numbered {
  T value;
};
template <std::size_t i, class T>
TENON_INLINE constexpr T& nth(Numbered<i, T>& element) {
  return element.value;
}
template <std::size_t i, class T>
TENON_INLINE constexpr T const& nth(Numbered<i, T> const& element) {
  return element.value;
}

/// A node of a formula, and the number of its operands.
struct FrameNode {
  int operands = 0;  ///< 0: an input.
  std::array<std::size_t, 3> operand{};
  std::size_t input = 0;  ///< The index of the input.
};

template <class F>
inline constexpr int operands_of_frame = 0;
template <class M, class Op, class... F>
inline constexpr int operands_of_frame<MapFrame<M, Op, F...>> = int{sizeof...(F)};

/// The nodes of a formula in post-order, from their numbers of operands.
template <std::size_t size>
constexpr std::array<FrameNode, size> linked(std::array<int, size> const& operands) {
  std::array<FrameNode, size> nodes{};
  std::array<std::size_t, size> open{};  // nodes without a user so far
  std::size_t count = 0, inputs = 0;
  for (std::size_t i = 0; i < size; ++i) {
    auto const taken = static_cast<std::size_t>(operands[i]);
    nodes[i].operands = operands[i];
    if (taken == 0) nodes[i].input = inputs++;
    count -= taken;
    for (std::size_t k = 0; k < taken; ++k) nodes[i].operand[k] = open[count + k];
    open[count++] = i;
  }
  return nodes;
}

/// The order in which adjoints are passed on: a map, then its operands from left to right, each
/// with all below it.
template <std::size_t size>
constexpr std::array<std::size_t, size> pre_order(std::array<FrameNode, size> const& nodes) {
  std::array<std::size_t, size> order{}, open{size - 1};
  std::size_t count = 1;
  for (std::size_t i = 0; i < size; ++i) {
    FrameNode const& node = nodes[order[i] = open[--count]];
    for (int k = node.operands - 1; k >= 0; --k)
      open[count++] = node.operand[static_cast<std::size_t>(k)];
  }
  return order;
}

template <class Nodes>
struct LinkedNodes;
template <class... N>
struct LinkedNodes<FrameNodes<N...>> {
  static constexpr auto nodes = linked<sizeof...(N)>({operands_of_frame<N>...});
  static constexpr auto backward = pre_order(nodes);
};

}  // namespace tenon::internal
