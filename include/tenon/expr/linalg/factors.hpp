#pragma once

#include <tenon/core/mistake.hpp>
#include <tenon/tensor/tensor.hpp>

/// What factorisations give: plain structs, to be taken apart by `auto [q, r] = linalg::qr(a)`.
namespace tenon::linalg {

/// A = Q R: orthonormal columns, upper triangular.
template <TensorType Q, TensorType R>
struct QR {
  Q q;
  R r;
};

/// A = U diag(S) Vᵀ: orthonormal columns and rows; singular values, the largest first.
template <TensorType U, TensorType S, TensorType Vt>
struct SVD {
  U u;
  S s;
  Vt vt;
};

/// A V = V diag(values): eigenvalues, the smallest first, and eigenvectors, one a column.
template <TensorType Values, TensorType Vectors>
struct Eigen {
  Values values;
  Vectors vectors;
};

/// One of these structs, and no name of a mistake.
template <class R>
concept Factored = !Mistake<R>;

}  // namespace tenon::linalg
