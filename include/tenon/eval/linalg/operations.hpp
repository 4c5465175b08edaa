#pragma once

#include <limits>

#include <tenon/eval/linalg/batch.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/view/views.hpp>

/// The operations of which the backward functions of linear algebra consist. All operands are
/// batches of matrices, of one type: vectors are matrices of one row. So a program compiles five
/// kernels per dtype, however many factorisations it has.
namespace tenon::internal::linalg {

template <TensorType M>
M added(M const& a, M const& b) {
  return a + b;
}
template <TensorType M>
M subtracted(M const& a, M const& b) {
  return a - b;
}
/// Element by element.
template <TensorType M>
M weighted(M const& a, M const& b) {
  return a * b;
}
template <TensorType M>
M transposed_matrices(M const& a) {
  return transpose(a);
}
template <TensorType M>
M chained(M const& a, M const& b) {
  return matmul(a, b);
}

/// An uninitialised batch like `x` of matrices of another size.
template <TensorType M>
M stack_like(M const& x, std::int64_t rows, std::int64_t columns) {
  return M::uninitialised(first_sizes(at(x.sizes(), 0), rows, columns));
}

/// Matrices of weights for those of `x`, half of `halves`: above, on and below the diagonal.
template <TensorType M>
M weights_like(M const& x, std::int64_t n, std::array<int, 3> const& halves) {
  M weights = stack_like(x, n, n);
  auto* const to = weights.own_memory();
  for (std::int64_t i = 0; i < weights.size(); ++i) {
    std::int64_t const row = i / n % n, column = i % n;
    auto const half = halves[row < column ? 0 : row == column ? 1 : 2];
    to[i] = static_cast<typename M::value_type>(half) / 2;
  }
  return weights;
}

/// One row repeated n times. The transpose of this repeats it as a column.
template <TensorType M>
M repeated_row(M const& row, std::int64_t n) {
  auto ones = stack_like(row, n, 1);
  std::fill_n(ones.own_memory(), ones.size(), typename M::value_type(1));
  return chained(ones, row);
}
template <TensorType M>
M repeated_column(M const& row, std::int64_t n) {
  return transposed_matrices(repeated_row(row, n));
}

template <TensorType M>
M diagonal_matrix(M const& row) {
  std::int64_t const n = at(row.sizes(), 2);
  return weighted(repeated_row(row, n), weights_like(row, n, {0, 2, 0}));
}

/// (x + xᵀ) / 2.
template <TensorType M>
M symmetric_part(M const& x) {
  return weighted(added(x, transposed_matrices(x)), weights_like(x, at(x.sizes(), 2), {1, 1, 1}));
}

/// x - xᵀ.
template <TensorType M>
M skew(M const& x) {
  return subtracted(x, transposed_matrices(x));
}

/// 1 / x; NaN where x is 0: the derivative does not exist there. Without the diagonal 0 on it.
template <bool with_diagonal, TensorType M>
M inverse_or_nan(M const& x) {
  auto const forward = [](M const& from) {
    M result = from;
    auto* const to = result.own_memory();
    std::int64_t const rows = at(from.sizes(), 1), n = at(from.sizes(), 2);
    for (std::int64_t i = 0; i < result.size(); ++i) {
      if (!with_diagonal && i / n % rows == i % n) to[i] = 0;
      else
        to[i] = to[i] == 0 ? std::numeric_limits<typename M::value_type>::quiet_NaN() : 1 / to[i];
    }
    return result;
  };
  auto const backward = [](M const& d, M const& y, M const&) {
    return subtracted(zeros_like(d), weighted(d, weighted(y, y)));
  };
  return custom_vjp(forward, backward)(x);
}

}  // namespace tenon::internal::linalg
