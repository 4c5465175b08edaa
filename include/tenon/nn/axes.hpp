#pragma once

#include <initializer_list>

#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/join.hpp>
#include <tenon/eval/layer_kind.hpp>
#include <tenon/expr/axes.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/tensor/aliases.hpp>

/// The axes of layers: each is a spec of one axis, as in `Linear<"embed=64", "hidden=256">`.
namespace tenon::internal {

/// The axes that a spec names. (A constant: g++ 12 crashes where it is a template argument in
/// place.)
template <Spec Names>
inline constexpr Axes axes_of{Names};

/// Sizes with one of two adjacent axes that are merged, or with one more.
constexpr Sizes merged_sizes(Sizes const& sizes, int axis) {
  Sizes result = unit_sizes();
  for (int i = 0; i < max_rank; ++i) at(result, i > axis ? i - 1 : i) *= at(sizes, i);
  return result;
}
constexpr Sizes sizes_in_parts(Sizes const& sizes, int axis, std::int64_t outer,
                               std::int64_t inner) {
  Sizes result = unit_sizes();
  for (int i = 0; i + 1 < max_rank; ++i) at(result, i < axis ? i : i + 1) = at(sizes, i);
  at(result, axis) = outer;
  at(result, axis + 1) = inner;
  return result;
}

/// The single axis of a spec.
template <Spec S>
struct LayerAxis {
  static constexpr Axis axis = ShapeOf<canonical<S>>::shape[0];
  static_assert(ShapeOf<canonical<S>>::shape.rank == 1,
                "tenon::nn: a layer takes specs of one axis each, such as \"embed=64\"");
  static constexpr std::int64_t size = axis.size;
};

constexpr Shape shape_of_axes(std::initializer_list<Axis> axes) {
  Shape result{};
  for (Axis const& axis : axes) result[result.rank++] = axis;
  return result;
}

/// A shape of several such axes.
template <Spec... S>
struct AxesInOrder {
  static constexpr Shape shape = shape_of_axes({LayerAxis<S>::axis...});
};

/// A tensor of a layer: one axis for each spec.
template <class Kind, Spec... S>
using LayerTensor = Tensor<typename Kind::dtype, spec_of<AxesInOrder<S...>>, typename Kind::device>;

/// Whether the last axis of `X` is the axis of a layer.
template <class X, Spec S>
concept EndsWith = Expression<X> && Unqualified<X>::shape.rank > 0 &&
                   agree(Unqualified<X>::shape[Unqualified<X>::shape.rank - 1], LayerAxis<S>::axis);

/// An operand of a layer, or the error type of an inner call, which the layer forwards.
template <class X>
concept LayerOperand = Expression<X> || Mistake<X>;

/// Names the mismatch of an operand with the axis of a layer, in the last axis or the rank; `void`
/// if it fits. `Layer` has a name.
template <class Layer, class X, Spec S, int least_rank>
constexpr auto layer_mistake() {
  using Own = AxesInOrder<S>;
  if constexpr (Mistake<X>) return std::type_identity<X>{};
  else if constexpr (X::shape.rank < least_rank) return shapes_differ<Layer, X, Own>();
  else if constexpr (EndsWith<X, S>) return std::type_identity<void>{};
  else return axes_differ<Layer, X, X::shape.rank - 1, Own, 0>();
}

template <class Layer, LayerOperand X, Spec S, int least_rank = 1>
using LayerMistake = typename decltype(layer_mistake<Layer, Unqualified<X>, S, least_rank>())::type;

}  // namespace tenon::internal
