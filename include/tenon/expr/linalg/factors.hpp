#pragma once

#include <tenon/core/mistake.hpp>
#include <tenon/tensor/tensor.hpp>

/// The results of factorisations: plain structs, for structured bindings: `auto [q, r] =
/// linalg::qr(a)`.
namespace tenon::internal::linalg {

/// A = Q R: orthonormal columns, upper triangular.
template <TensorType Q, TensorType R>
struct QR {
  Q q;
  R r;
};

/// A = U diag(S) Vᵀ: orthonormal columns and rows; singular values in descending order.
template <TensorType U, TensorType S, TensorType Vt>
struct SVD {
  U u;
  S s;
  Vt vt;
};

/// A V = V diag(values): eigenvalues in ascending order, and eigenvectors as columns.
template <TensorType Values, TensorType Vectors>
struct Eigen {
  Values values;
  Vectors vectors;
};

/// One of these structs, and not an error type.
template <class R>
concept Factored = !Mistake<R>;

}  // namespace tenon::internal::linalg
