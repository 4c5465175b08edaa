#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/eval/linalg/svd.hpp>
#include <tenon/expr/reduction/norms.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/numeric/matrices.hpp>
#include <tenon/op/power.hpp>

/// Norms of any order, and condition numbers.
namespace tenon::internal::linalg {

/// A norm of vectors along axes, its order known when it runs.
template <Axes axes, class X, class... K>
auto norm_of_order(X const& x, double ord, K... kept) {
  using R = TensorOf<decltype(norm<axes>(x, kept...))>;
  using T = Computed<typename X::value_type>;
  T const p = static_cast<T>(ord);
  auto const size = abs(x);
  if (ord == 2) return R(norm<axes>(x, kept...));
  if (ord == 0) return R(sum<axes>(to<typename X::value_type>(x != T(0)), kept...));
  if (std::isinf(ord) && ord > 0)
    return R(reduction<op::MaxReduction, axes, keeps_axes<K...>>(size));
  if (std::isinf(ord)) return R(reduction<op::MinReduction, axes, keeps_axes<K...>>(size));
  return R(pow(sum<axes>(pow(size, p), kept...), T(1) / p));
}

/// The norm (Σ |x|^ord)^(1/ord) along axes, by default of all elements: for the order infinity the
/// largest magnitude, for -infinity the smallest, for 0 the number of elements that are not zero;
/// `linalg::vector_norm<"row">(x, 1, keep)`. Order 2 is `norm`. NumPy: `linalg.norm` along an axis.
/// PyTorch: `linalg.vector_norm`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<RootMistake<Named<"vector_norm">, axes, X>>
auto vector_norm(X const& x, double ord = 2, K... kept) {
  return norm_of_order<axes>(eval(x), ord, kept...);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = RootMistake<Named<"vector_norm">, axes, X>>
  requires(!std::is_void_v<R>)
auto vector_norm(X const& x, double ord = 2, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"vector_norm">, X>>
auto vector_norm(X const&, double = 2) -> R;

/// Numbers of a batch, and rows of them.
template <TensorType M>
using NumberOfEach = Tensor<typename M::value_type, "_", typename M::device>;
template <TensorType M>
using RowOfEach = Tensor<typename M::value_type, "_ _", typename M::device>;

template <TensorType M>
RowOfEach<M> singular_values(M const& a) {
  std::int64_t const k = (std::min)(rows_of(a), columns_of(a));
  return reshaped<RowOfEach<M>>(std::get<1>(recorded_svd(a)), first_sizes(at(a.sizes(), 0), k));
}

[[noreturn]] inline void refuse_order(std::string_view got) {
  fail<ValueError>({"matrix_norm", "ord", "1, 2, infinity, their negatives, fro or nuc", got, {}});
}

/// The sums or singular values of which a norm is the largest or the smallest.
template <TensorType M>
RowOfEach<M> parts_of_norm(M const& a, double ord) {
  double const order = std::abs(ord);
  if (order == 1) return sum<1>(abs(a));
  if (order == 2) return singular_values(a);
  if (std::isinf(ord)) return sum<2>(abs(a));
  refuse_order(std::to_string(ord));
}
template <TensorType M>
NumberOfEach<M> norm_of_matrices(M const& a, double ord) {
  auto const parts = parts_of_norm(a, ord);
  if (ord > 0) return max<1>(parts);
  return min<1>(parts);
}
template <TensorType M>
NumberOfEach<M> norm_of_matrices(M const& a, std::string_view ord) {
  if (ord == "nuc") return sum<1>(singular_values(a));
  if (ord != "fro") refuse_order(ord);
  std::int64_t const elements = rows_of(a) * columns_of(a);
  return norm<1>(reshaped<RowOfEach<M>>(a, first_sizes(at(a.sizes(), 0), elements)));
}

template <Expression X>
using MatrixNorm = OfMatrix<Named<"matrix_norm">, BatchRule, X>;

template <TensorType R, TensorType A, class Order>
R matrix_norm_of(A const& a, Order ord) {
  auto const f = [ord]<class Q, TensorType X>(std::type_identity<Q>, X const& x) {
    return reshaped<Q>(norm_of_matrices(as_matrices<2>(x), ord), factor_sizes(x, 1, 1));
  };
  return by_linear_algebra<Named<"matrix_norm">, R>(f, a);
}

/// A norm of matrices, "*batch m n" to "*batch": "fro", the root of the sum of squares, or "nuc",
/// the sum of the singular values; of order 1 and infinity the largest sum of magnitudes of a
/// column and of a row, of order 2 the largest singular value, of -1, -2, -infinity the smallest.
/// Throws `ValueError` for another order. NumPy: `linalg.norm`. PyTorch: `linalg.matrix_norm`.
template <Expression X, WellFormed Result = MatrixNorm<X&&>>
auto matrix_norm(X&& a, std::string_view ord = "fro") -> Result {
  return matrix_norm_of<Result>(keep_value(std::forward<X>(a)), ord);
}
template <Expression X, WellFormed Result = MatrixNorm<X&&>>
auto matrix_norm(X&& a, double ord) -> Result {
  return matrix_norm_of<Result>(keep_value(std::forward<X>(a)), ord);
}
template <Expression X, class Order = double, IllFormed Result = MatrixNorm<X&&>>
auto matrix_norm(X&& a, Order const& ord = {}) -> Result;
template <class X, class Order = double, class R = Refused<Named<"matrix_norm">, X>>
auto matrix_norm(X const&, Order const& = {}) -> R;

/// The condition number of matrices, "*batch m n" to "*batch": the largest singular value divided
/// by the smallest, infinite for a singular matrix. NumPy, PyTorch: `linalg.cond`. For another norm
/// it is `matrix_norm(a, ord) * matrix_norm(inverse(a), ord)`.
template <Expression X, WellFormed Result = OfMatrix<Named<"cond">, BatchRule, X&&>>
auto cond(X&& a) -> Result {
  auto const f = []<class Q, TensorType A>(std::type_identity<Q>, A const& x) {
    auto const s = singular_values(as_matrices<2>(x));
    NumberOfEach<decltype(as_matrices<2>(x))> const ratio = max<1>(s) / min<1>(s);
    return reshaped<Q>(ratio, factor_sizes(x, 1, 1));
  };
  return by_linear_algebra<Named<"cond">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = OfMatrix<Named<"cond">, BatchRule, X&&>>
auto cond(X&& a) -> Result;
template <class... X, class R = Refused<Named<"cond">, X...>>
auto cond(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::cond;
using internal::linalg::matrix_norm;
using internal::linalg::vector_norm;

}  // namespace tenon::linalg
