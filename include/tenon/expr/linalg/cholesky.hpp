#pragma once

#include <tenon/expr/linalg/matrix.hpp>

namespace tenon::internal::linalg {

struct CholeskyName {
  static constexpr std::string_view name = "cholesky";
};

template <class E>
struct CholeskyRule {
  static constexpr Shape shape = symmetric_shape(E::shape);
};

template <class E>
constexpr auto cholesky_type() {
  using mistake = typename decltype(symmetric_mistake<CholeskyName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, CholeskyRule<E>>>{};
}
template <Expression X>
using Cholesky = typename decltype(cholesky_type<TensorOf<X>>())::type;

/// L, lower triangular with a positive diagonal, of a symmetric positive definite A = L Lᵀ: "n n"
/// gives "n n". Factors (A + Aᵀ) / 2. Throws `ValueError` for a matrix that is not positive
/// definite or has NaN. JAX: `linalg.cholesky`. PyTorch: `linalg.cholesky`.
template <Expression X, WellFormed Result = Cholesky<X&&>>
auto cholesky(X&& a) -> Result {
  return cholesky_factor(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = Cholesky<X&&>>
auto cholesky(X&& a) -> Result;
template <class... X, class R = Refused<CholeskyName, X...>>
auto cholesky(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::cholesky;

}  // namespace tenon::linalg
