#pragma once

#include <tenon/core/mistake.hpp>
#include <tenon/expr/view/index_map.hpp>

namespace tenon::internal {

/// The number of elements at both ends of each axis of an operand whose adjoints nothing reads:
/// those of a padding that only the view reads.
struct PaddedEnds {
  Sizes before{}, behind{};
};

/// Strides through the elements of a tensor, along the axes of a result.
struct SliceSteps {
  Sizes along{};           ///< From one element to the next, in elements; may be negative.
  std::int64_t start = 0;  ///< The offset of the first element.
  bool overlaps = false;   ///< Whether an element occurs twice.
  PaddedEnds const* padded = nullptr;
};

/// A strided view of a tensor: reversed, subsampled, along a diagonal. No element is copied. With
/// `by_one` the last axis is contiguous in the tensor.
template <TensorType E, Spec S, bool by_one>
struct Stepped : NodeBase<Stepped<E, S, by_one>, S.view().empty()> {
  using ExpressionNode<Stepped>::operator=;
  using value_type = typename E::value_type;
  using device = typename E::device;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  E operand;
  Sizes extents = unit_sizes();
  SliceSteps steps;

  constexpr Stepped(E x, Sizes const& sizes, SliceSteps const& walk)
      : operand(std::move(x)), extents(sizes), steps(walk) {
    check_sizes_of<ShapeOf<S>>("move", S.view(), sizes);
  }

  constexpr Sizes sizes() const { return extents; }

  /// The offset in the operand of the element at `index`.
  constexpr std::int64_t place(ElementIndex const& index) const {
    return steps.start + offset(steps.along, index, shape.rank);
  }
};

template <class E>
inline constexpr bool is_stepped = false;
template <TensorType E, Spec S, bool by_one>
inline constexpr bool is_stepped<Stepped<E, S, by_one>> = true;

/// `Rule` has the shape of the result, and whether its last axis is contiguous.
template <class Rule, class E>
using SteppedBy = Stepped<TensorOf<E>, spec_of<Rule>, Rule::by_one>;

}  // namespace tenon::internal
