#pragma once

#include <tenon/core/rules/join.hpp>
#include <tenon/expr/linalg/factors.hpp>
#include <tenon/expr/linalg/matrix.hpp>

namespace tenon::internal::linalg {

struct EighName {
  static constexpr std::string_view name = "eigh";
};

template <class E>
struct EigenvectorsRule {
  static constexpr Shape shape = symmetric_shape(E::shape);
};
template <class E>
struct EigenvaluesRule {
  static constexpr Shape shape = removed(symmetric_shape(E::shape), E::shape.rank - 1);
};

template <class E>
constexpr auto eigh_type() {
  using mistake = typename decltype(symmetric_mistake<EighName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<
        Eigen<TensorLike<E, EigenvaluesRule<E>>, TensorLike<E, EigenvectorsRule<E>>>>{};
}
template <Expression X>
using Eigh = typename decltype(eigh_type<TensorOf<X>>())::type;

/// The eigenvalues of a symmetric matrix in ascending order, and its orthonormal eigenvectors, as
/// columns: "n n" gives {values "n", vectors "n n"}. Those of (A + Aᵀ) / 2. NaN or infinity
/// anywhere gives NaN. The gradient through vectors of equal values is NaN. Throws `ValueError`
/// without convergence. JAX, PyTorch: `linalg.eigh`.
template <Expression X, Factored Result = Eigh<X&&>>
auto eigh(X&& a) -> Result {
  return symmetric_eigen(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = Eigh<X&&>>
auto eigh(X&& a) -> Result;
template <class... X, class R = Refused<EighName, X...>>
auto eigh(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::eigh;

}  // namespace tenon::linalg
