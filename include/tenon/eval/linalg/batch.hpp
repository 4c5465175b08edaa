#pragma once

#include <cstring>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/mutex.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/tensor/workspace.hpp>

/// How the functions of linear algebra iterate over the matrices of a batch.
namespace tenon::internal::linalg {

/// The backend's factorisations of one matrix.
template <TensorType E>
using FactorsOf = typename BackendOf<typename E::device>::factors;

/// The size of an axis counted from the end, 1 the last: static for an inline tensor, run-time for
/// others, so that these share one instantiation per dtype.
template <int from_end, TensorType E>
constexpr auto extent(E const& tensor) {
  constexpr int axis = E::rank - from_end;
  if constexpr (E::holds_elements) return Known<E::shape[axis].size>();
  else return at(tensor.sizes(), axis);
}

/// The product of the sizes of all but the last `own` axes.
template <int own, TensorType E>
constexpr std::int64_t batch_size(E const& tensor) {
  return count(tensor.sizes(), E::rank - own);
}

/// Multiplications below which starting threads costs more than it saves.
inline constexpr std::int64_t batch_work = std::int64_t{1} << 17;

/// Calls f(i) for every matrix, in parallel if there is enough work: `work` is the number of
/// multiplications for one. Returns the first one for which f is false, or -1.
template <TensorType E, class F>
std::int64_t first_failure(std::int64_t matrices, std::int64_t work, F const& f) {
  if (matrices == 1) return f(std::int64_t{0}) ? -1 : 0;
  std::int64_t const group =
      std::max<std::int64_t>(1, batch_work / std::max<std::int64_t>(1, work));
  Atomic<std::int64_t> first{matrices};
  auto const run = [&](std::int64_t chunk, std::byte*) {
    for (std::int64_t i = chunk * group; i < (std::min)(matrices, (chunk + 1) * group); ++i) {
      std::int64_t known = first.load();
      if (i >= known || f(i)) continue;
      while (i < known && !first.compare_exchange(known, i)) {
      }
    }
  };
  BackendOf<typename E::device>::parallel_for((matrices + group - 1) / group, 0, run);
  return first.load() == matrices ? -1 : first.load();
}

/// Throws `ValueError`, which names the matrix of the batch that violates a precondition.
[[noreturn]] void fail_matrix(std::string_view who, std::string_view expected, std::string_view got,
                              std::int64_t matrix, std::int64_t matrices);

/// Throws `ShapeError` where the last two axes differ in size.
template <TensorType E>
constexpr void require_square(std::string_view who, E const& a) {
  if constexpr (!E::shape[E::rank - 1].is_static() || !E::shape[E::rank - 2].is_static()) {
    std::int64_t const rows = at(a.sizes(), E::rank - 2), columns = at(a.sizes(), E::rank - 1);
    if (rows == columns) return;
    fail<ShapeError>({who, axis_label(E::shape, E::rank - 1), decimal(rows), decimal(columns),
                      concatenate({"\"", E::spec.view(), "\""})});
  }
}

/// The type in which recorded calls compute: a batch of matrices, every size known at run time.
/// Gradients are compiled once per dtype, not per shape.
template <TensorType E>
using Matrices = Tensor<typename E::value_type, "_ _ _", typename E::device>;

/// A tensor as matrices, the last axes those of a matrix (for vectors, `own` is 1: one column
/// each).
template <int own, TensorType E>
Matrices<E> as_matrices(E const& tensor) {
  Sizes sizes = unit_sizes();
  at(sizes, 0) = batch_size<own>(tensor);
  at(sizes, 1) = at(tensor.sizes(), E::rank - own);
  if constexpr (own == 2) at(sizes, 2) = at(tensor.sizes(), E::rank - 1);
  return reshaped<Matrices<E>>(tensor, sizes);
}

/// The sizes of a factor: those of the batch, then those of the matrix.
template <TensorType A>
Sizes factor_sizes(A const& a, std::int64_t rows, std::int64_t columns) {
  Sizes sizes = a.sizes();
  at(sizes, A::rank - 2) = rows;
  at(sizes, A::rank - 1) = columns;
  return sizes;
}

/// The sizes of the vectors of a batch of matrices.
template <TensorType A>
Sizes vector_sizes(A const& a, std::int64_t size) {
  Sizes sizes = a.sizes();
  at(sizes, A::rank - 1) = 1;
  at(sizes, A::rank - 2) = size;
  return sizes;
}

/// A tensor with the elements of another.
template <TensorType R, TensorType E>
constexpr R copied(Sizes const& sizes, E const& from) {
  R result = R::uninitialised(sizes);
  auto* const to = result.own_memory();
  for (std::int64_t i = 0; i < result.size(); ++i) to[i] = from.data()[i];
  return result;
}

}  // namespace tenon::internal::linalg

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::linalg {

[[noreturn]] TENON_RUNTIME void fail_matrix(std::string_view who, std::string_view expected,
                                            std::string_view got, std::int64_t matrix,
                                            std::int64_t matrices) {
  std::string const where = "matrix " + std::to_string(matrix) + " of " + std::to_string(matrices);
  fail<ValueError>({who, {}, expected, got, matrices == 1 ? std::string_view() : where});
}

}  // namespace tenon::internal::linalg

#endif
