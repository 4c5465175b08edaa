#pragma once

#include <tenon/core/rules/matrices.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/gather/gather.hpp>

/// Linear algebra: matrices are the last two axes of a tensor, the axes before them a batch.
/// `float` and `double`. Every function evaluates eagerly.
namespace tenon::compile_error {

/// The operation needs a square matrix: its name, the two axes, the shape.
template <Spec Operation, Spec ScratchRow, Spec Column, Spec Shape>
struct matrix_is_not_square;

}  // namespace tenon::compile_error

namespace tenon::internal {

namespace linalg {

/// The dtypes that have linear algebra.
template <class T>
concept Solvable = std::same_as<T, float> || std::same_as<T, double>;

/// Names the reason why `E` is not a matrix for an operation; `void` where it is one.
template <class Name, class E>
constexpr auto matrix_mistake() {
  if constexpr (!Solvable<typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (E::shape.rank < 2) return rank_mistake<Name, E, 2>();
  else return std::type_identity<void>{};
}

/// The same for a square matrix, whose axes may have different names.
template <class Name, class E>
constexpr auto square_mistake() {
  using other = typename decltype(matrix_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!is_square(E::shape))
    return std::type_identity<
        error::matrix_is_not_square<spec_of_name<Name>, spec_of_axis<E, E::shape.rank - 2>,
                                    spec_of_axis<E, E::shape.rank - 1>, spec_of<E>>>{};
  else return std::type_identity<void>{};
}

/// The same for a linear map of a space to itself, whose axes agree.
template <class Name, class E>
constexpr auto symmetric_mistake() {
  using other = typename decltype(square_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!agree(E::shape[E::shape.rank - 2], E::shape[E::shape.rank - 1]))
    return axes_differ<Name, E, E::shape.rank - 2, E, E::shape.rank - 1>();
  else return std::type_identity<void>{};
}

/// A tensor of another shape with the dtype and device of `E`.
template <class E, class Carrier>
using TensorLike = Tensor<typename E::value_type, spec_of<Carrier>, typename E::device>;

}  // namespace linalg

}  // namespace tenon::internal
