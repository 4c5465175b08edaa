#pragma once

#include <tenon/io/eigen.hpp>

/// Matrices of Eigen for tests.
namespace eigen_matrices {

using Eigen::Dynamic;

template <class T>
using RowMajor = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>;

/// 0, 1, 2, ... in the order of rows.
template <class M>
M numbered(Eigen::Index rows, Eigen::Index columns) {
  M matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index k = 0; k < columns; ++k)
      matrix(i, k) = static_cast<typename M::Scalar>(static_cast<float>(i * columns + k));
  return matrix;
}

/// Whether a tensor, view or expression of two axes and an Eigen object are equal.
template <class E, class M>
bool equal(E const& e, M const& matrix) {
  if (e.sizes()[0] != matrix.rows() || e.sizes()[1] != matrix.cols()) return false;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index k = 0; k < matrix.cols(); ++k)
      if (e(i, k) != matrix(i, k)) return false;
  return true;
}

}  // namespace eigen_matrices
