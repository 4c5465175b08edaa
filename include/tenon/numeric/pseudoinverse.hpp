#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <tenon/eval/linalg/svd.hpp>
#include <tenon/numeric/matrices.hpp>

/// Matrices of any rank: pseudoinverses, least squares, ranks, the spaces of a matrix.
namespace tenon::internal::linalg {

/// The singular values at or below which a matrix counts as singular, relative to the largest.
template <TensorType A>
double relative_tolerance(A const& a, double chosen) {
  using T = typename A::value_type;
  std::int64_t const longer = (std::max)(at(a.sizes(), A::rank - 2), at(a.sizes(), A::rank - 1));
  double const own =
      static_cast<double>(longer) * static_cast<double>(std::numeric_limits<T>::epsilon());
  return chosen >= 0 ? chosen : own;
}

/// The number of k descending singular values above the tolerance.
template <class T>
std::int64_t rank_of(T const* s, std::int64_t k, double tolerance) {
  std::int64_t rank = 0;
  while (rank < k && s[rank] > tolerance * s[0]) ++rank;
  return rank;
}

/// The inverse of each singular value, 0 where it is too small; NaN stays.
template <TensorType M>
M inverse_values(M s, double tolerance) {
  std::int64_t const k = columns_of(s);
  auto* const to = s.own_memory();
  for (std::int64_t p = 0; p < at(s.sizes(), 0); ++p) {
    auto const largest = k == 0 ? 0 : to[p * k];
    for (std::int64_t i = p * k; i < (p + 1) * k; ++i)
      to[i] = to[i] <= tolerance * largest ? 0 : 1 / to[i];
  }
  return s;
}

/// p = a⁺ of constant rank: the adjoint of a is -pᵀ dp pᵀ + (1 - a p) dpᵀ p pᵀ + pᵀ p dpᵀ (1 - p
/// a) (Golub and Pereyra 1973).
struct PinvBackward {
  template <TensorType M>
  M operator()(M const& dp, M const& p, M const& a) const {
    M const pt = transposed_matrices(p), dpt = transposed_matrices(dp);
    M const ap = chained(a, p), pa = chained(p, a);
    M const beyond_rows = subtracted(identity_like(ap), ap);
    M const beyond_columns = subtracted(identity_like(pa), pa);
    M const first = chained(chained(pt, dp), pt);
    M const second = chained(chained(chained(beyond_rows, dpt), p), pt);
    M const third = chained(chained(chained(pt, p), dpt), beyond_columns);
    return added(subtracted(second, first), third);
  }
};

template <TensorType M>
M recorded_pinv(M const& a, double tolerance) {
  auto const forward = [tolerance](M const& x) {
    std::int64_t const k = (std::min)(rows_of(x), columns_of(x));
    auto const [u, s, vt] = svd_of<M, M, M>(x, factor_sizes(x, 1, k));
    M const inverse = repeated_row(inverse_values(s, tolerance), columns_of(x));
    return chained(weighted(transposed_matrices(vt), inverse), transposed_matrices(u));
  };
  return custom_vjp(forward, PinvBackward())(a);
}

/// The pseudoinverse of Moore and Penrose: "m n" gives "n m". Singular values up to `rtol` times
/// the largest count as 0; `rtol` < 0: max(m, n) units of rounding. The gradient is that of
/// matrices of the same rank. JAX, PyTorch: `linalg.pinv`.
template <Expression X, WellFormed Result = OfMatrix<Named<"pinv">, TurnedRule, X&&>>
auto pinv(X&& a, double rtol = -1) -> Result {
  auto const f = [rtol]<class R, TensorType A>(std::type_identity<R>, A const& x) {
    auto const p = recorded_pinv(as_matrices<2>(x), relative_tolerance(x, rtol));
    return reshaped<R>(p, factor_sizes(x, at(x.sizes(), A::rank - 1), at(x.sizes(), A::rank - 2)));
  };
  return by_linear_algebra<Named<"pinv">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = OfMatrix<Named<"pinv">, TurnedRule, X&&>>
auto pinv(X&& a, double rtol = -1) -> Result;
template <class X, class R = Refused<Named<"pinv">, X>>
auto pinv(X const&, double = -1) -> R;

using LstsqName = Named<"lstsq">;

/// The labels of the product of a pseudoinverse `P` and right-hand sides `B`.
template <class P, class B>
constexpr Contraction const& lstsq_labels = MatmulRule<P, B>::contraction;

/// A product, or the error of matrices `A`, whose pseudoinverses are of type `P`, and right-hand
/// sides.
template <class A, class P, class B>
constexpr auto lstsq_type() {
  constexpr Contraction const& labels = lstsq_labels<P, B>;
  if constexpr (!std::is_void_v<typename decltype(product_mistake<LstsqName, A, B>())::type>)
    return product_mistake<LstsqName, A, B>();
  else if constexpr (labels.fits) return std::type_identity<Matmul<P, B>>{};
  else if constexpr (labels.left_axis < 0 || labels.right_axis < 0)
    return shapes_differ<LstsqName, A, B>();
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<LstsqName>, spec_of_axis<P, labels.left_axis>,
                               spec_of_axis<B, labels.right_axis>, spec_of<A>, spec_of<B>>>{};
}
template <class A, class B>
struct FindLstsq {
  using type = OfMatrix<LstsqName, TurnedRule, A>;
};
template <class A, class B>
  requires WellFormed<OfMatrix<LstsqName, TurnedRule, A>>
struct FindLstsq<A, B> : decltype(lstsq_type<A, OfMatrix<LstsqName, TurnedRule, A>, B>()) {};
template <Expression A, Expression B>
using Lstsq = typename FindLstsq<TensorOf<A>, TensorOf<B>>::type;

/// The X for which |A X - B| is least, and of those the least: "m n" and "m" give "n", "m n" and "m
/// k" give "n k"; the axes before them broadcast. A may have any rank: `rtol` and the gradient are
/// those of `pinv`. NumPy, JAX, PyTorch: `linalg.lstsq`, its solution.
template <Expression A, Expression B, WellFormed Result = Lstsq<A const&, B const&>>
auto lstsq(A const& a, B const& b, double rtol = -1) {
  using P = OfMatrix<LstsqName, TurnedRule, A const&>;
  Sizes sizes = a.sizes();
  std::swap(at(sizes, P::rank - 2), at(sizes, P::rank - 1));
  (void)label_sizes(LstsqName::name, lstsq_labels<P, TensorOf<B>>, P::shape, sizes, B::shape,
                    b.sizes());  // throws for run-time sizes that disagree
  return eval(matmul(pinv(a, rtol), b));
}
template <Expression A, Expression B, IllFormed R = Lstsq<A const&, B const&>>
auto lstsq(A const& a, B const& b, double rtol = -1) -> R;
template <class A, class B, class R = Refused<LstsqName, A, B>>
auto lstsq(A const&, B const&, double = -1) -> R;

/// Numbers of a batch.
template <class E>
using Counts = Tensor<std::int64_t, spec_of<BatchRule<E>>, typename E::device>;
template <class E>
constexpr auto rank_type() {
  using mistake = typename decltype(matrix_mistake<Named<"matrix_rank">, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<Counts<E>>{};
}
template <Expression X>
using RankOf = typename decltype(rank_type<TensorOf<X>>())::type;

/// The number of singular values above `rtol` times the largest, as `int64`: "*batch m n" gives
/// "*batch". `rtol` < 0: max(m, n) units of rounding. NumPy, PyTorch: `linalg.matrix_rank`.
template <Expression X, WellFormed Result = RankOf<X&&>>
auto matrix_rank(X&& a, double rtol = -1) -> Result {
  auto const f = [rtol]<class R, TensorType A>(std::type_identity<R>, A const& x) {
    auto const all = as_matrices<2>(unmarked_leaves(x));
    using M = decltype(as_matrices<2>(x));
    std::int64_t const k = (std::min)(rows_of(all), columns_of(all));
    auto const s = std::get<1>(svd_of<M, M, M>(all, factor_sizes(all, 1, k)));
    R ranks = R::uninitialised(factor_sizes(x, 1, 1));
    auto* const to = ranks.own_memory();
    for (std::int64_t i = 0; i < ranks.size(); ++i)
      to[i] = rank_of(s.data() + i * k, k, relative_tolerance(x, rtol));
    return ranks;
  };
  return by_linear_algebra<Named<"matrix_rank">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = RankOf<X&&>>
auto matrix_rank(X&& a, double rtol = -1) -> Result;
template <class X, class R = Refused<Named<"matrix_rank">, X>>
auto matrix_rank(X const&, double = -1) -> R;

/// One axis of a matrix, and an axis of as many vectors as there are.
template <class E, int axis>
struct VectorsRule {
  static constexpr Axis const& own = E::shape[axis];
  static constexpr Shape shape =
      inserted(inserted(Shape{}, 0, own.is_computed() ? unrelated_axis(own.name) : own), 1, Axis{});
};
template <class Name, int axis, class E>
constexpr auto vectors_type() {
  using mistake = typename decltype(matrix_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (E::shape.rank != 2) return rank_mistake<Name, E, 2>();
  else return std::type_identity<TensorLike<E, VectorsRule<E, axis>>>{};
}
template <class Name, int axis, Expression X>
using VectorsOf = typename decltype(vectors_type<Name, axis, TensorOf<X>>())::type;

/// The right singular vectors, as rows, and the rank of one matrix: all of them, also of a wide
/// one, which rows of zeros complete to a square.
template <TensorType M>
std::pair<M, std::int64_t> row_vectors(M const& a, double tolerance) {
  std::int64_t const m = rows_of(a), n = columns_of(a);
  M const whole = m >= n ? a : above(a, zeros_like(stack_like(a, n - m, n)));
  auto const [u, s, vt] = svd_of<M, M, M>(whole, factor_sizes(whole, 1, n));
  return {vt, rank_of(s.data(), n, tolerance)};
}

/// An orthonormal basis of the x for which A x = 0, as columns: "m n" gives "n _". A constant:
/// it has no gradient. `rtol` is that of `matrix_rank`. SciPy: `linalg.null_space`.
template <Expression X, WellFormed Result = VectorsOf<Named<"null_space">, 1, X&&>>
auto null_space(X&& a, double rtol = -1) -> Result {
  auto const f = [rtol]<class R, TensorType A>(std::type_identity<R>, A const& x) {
    auto const all = as_matrices<2>(unmarked_leaves(x));
    auto const [rows, rank] = row_vectors(all, relative_tolerance(x, rtol));
    std::int64_t const n = columns_of(all);
    auto const vectors = transposed_matrices(rows_between(rows, rank, n));
    return reshaped<R>(vectors, first_sizes(n, n - rank));
  };
  return by_linear_algebra<Named<"null_space">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = VectorsOf<Named<"null_space">, 1, X&&>>
auto null_space(X&& a, double rtol = -1) -> Result;
template <class X, class R = Refused<Named<"null_space">, X>>
auto null_space(X const&, double = -1) -> R;

/// An orthonormal basis of the values A x, as columns: "m n" gives "m _". A constant: it has no
/// gradient. `rtol` is that of `matrix_rank`. SciPy: `linalg.orth`.
template <Expression X, WellFormed Result = VectorsOf<Named<"orth">, 0, X&&>>
auto orth(X&& a, double rtol = -1) -> Result {
  auto const f = [rtol]<class R, TensorType A>(std::type_identity<R>, A const& x) {
    auto const turned = transposed_matrices(as_matrices<2>(unmarked_leaves(x)));
    auto const [rows, rank] = row_vectors(turned, relative_tolerance(x, rtol));
    auto const vectors = transposed_matrices(rows_between(rows, 0, rank));
    return reshaped<R>(vectors, first_sizes(columns_of(turned), rank));
  };
  return by_linear_algebra<Named<"orth">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = VectorsOf<Named<"orth">, 0, X&&>>
auto orth(X&& a, double rtol = -1) -> Result;
template <class X, class R = Refused<Named<"orth">, X>>
auto orth(X const&, double = -1) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::lstsq;
using internal::linalg::matrix_rank;
using internal::linalg::null_space;
using internal::linalg::orth;
using internal::linalg::pinv;

}  // namespace tenon::linalg
