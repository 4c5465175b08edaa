#pragma once

#include <tenon/expr/linalg/factors.hpp>
#include <tenon/expr/linalg/matrix.hpp>

namespace tenon::internal::linalg {

struct QrName {
  static constexpr std::string_view name = "qr";
};
struct SvdName {
  static constexpr std::string_view name = "svd";
};
struct DetName {
  static constexpr std::string_view name = "det";
};

/// "m n" as "m k", "k n", "k" and "", where k is the shorter of its axes.
template <class E>
struct LeftRule {
  static constexpr Shape shape =
      batch_and(E::shape, E::shape[E::shape.rank - 2], shorter_axis(E::shape));
};
template <class E>
struct RightRule {
  static constexpr Shape shape =
      batch_and(E::shape, shorter_axis(E::shape), E::shape[E::shape.rank - 1]);
};
template <class E>
struct BetweenRule {
  static constexpr Shape shape = batch_and(E::shape, shorter_axis(E::shape));
};
template <class E>
struct BatchRule {
  static constexpr Shape shape = batch_and(E::shape);
};

template <class E>
constexpr auto qr_type() {
  using mistake = typename decltype(matrix_mistake<QrName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<QR<TensorLike<E, LeftRule<E>>, TensorLike<E, RightRule<E>>>>{};
}
template <Expression X>
using QrOf = typename decltype(qr_type<TensorOf<X>>())::type;

template <class E>
constexpr auto svd_type() {
  using mistake = typename decltype(matrix_mistake<SvdName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<SVD<TensorLike<E, LeftRule<E>>, TensorLike<E, BetweenRule<E>>,
                                  TensorLike<E, RightRule<E>>>>{};
}
template <Expression X>
using SvdOf = typename decltype(svd_type<TensorOf<X>>())::type;

template <class E>
constexpr auto det_type() {
  using mistake = typename decltype(square_mistake<DetName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, BatchRule<E>>>{};
}
template <Expression X>
using DetOf = typename decltype(det_type<TensorOf<X>>())::type;

/// A = Q R, reduced: "m n" gives {q "m k", r "k n"}, k = min(m, n); Q has orthonormal columns, R is
/// upper triangular, signs are LAPACK's. NaN or infinity gives NaN. The gradient requires that the
/// first k columns of A are independent. JAX, PyTorch: `linalg.qr`.
template <Expression X, Factored Result = QrOf<X&&>>
auto qr(X&& a) -> Result {
  return orthogonal_factors(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = QrOf<X&&>>
auto qr(X&& a) -> Result;
template <class... X, class R = Refused<QrName, X...>>
auto qr(X const&...) -> R;

/// A = U diag(S) Vᵀ, reduced: "m n" gives {u "m k", s "k", vt "k n"}, k = min(m, n); S is
/// nonnegative and descending. The signs of pairs of vectors are arbitrary: differentiated
/// functions must not depend on them. The gradient through vectors of equal values is NaN. NaN or
/// infinity gives NaN. Throws `ValueError` without convergence. JAX, PyTorch:
/// `linalg.svd(full_matrices=False)`.
template <Expression X, Factored Result = SvdOf<X&&>>
auto svd(X&& a) -> Result {
  return singular_factors(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = SvdOf<X&&>>
auto svd(X&& a) -> Result;
template <class... X, class R = Refused<SvdName, X...>>
auto svd(X const&...) -> R;

/// The determinant: "*batch n n" gives "*batch". 0 for a singular matrix, 1 for an empty one. JAX,
/// PyTorch: `linalg.det`.
template <Expression X, WellFormed Result = DetOf<X&&>>
auto det(X&& a) -> Result {
  return determinants(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = DetOf<X&&>>
auto det(X&& a) -> Result;
template <class... X, class R = Refused<DetName, X...>>
auto det(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::det;
using internal::linalg::qr;
using internal::linalg::svd;

}  // namespace tenon::linalg
