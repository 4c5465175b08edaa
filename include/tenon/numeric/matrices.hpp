#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/linalg/operations.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/linalg/cholesky.hpp>
#include <tenon/expr/linalg/decompose.hpp>
#include <tenon/expr/view/slice.hpp>

/// How functions of matrices are composed: of batches of one type, `Matrices`, so that they are
/// compiled once per dtype.
namespace tenon::internal::linalg {

/// `f(std::type_identity<R>(), x...)`, a function of linear algebra; for a device without it on
/// the host.
template <class Name, class R, class F, TensorType A, class... B>
R by_linear_algebra(F const& f, A const& a, B const&... b) {
  tracing::refuse_while_on(Name::name);
  if constexpr (A::device::is_host) return f(std::type_identity<R>(), a, b...);
  else return BackendOf<typename A::device>::template linear_algebra<Name, R>(f, a, b...);
}

/// The result of a function from "n n" to "n n", or the name of an error.
template <class Name, class E>
constexpr auto endomorphism_type() {
  using mistake = typename decltype(symmetric_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, CholeskyRule<E>>>{};
}
template <class Name, Expression X>
using Endomorphism = typename decltype(endomorphism_type<Name, TensorOf<X>>())::type;

/// The result of a function from a matrix to a tensor with the axes of `Rule`.
template <class Name, template <class> class Rule, class E>
constexpr auto of_matrix_type() {
  using mistake = typename decltype(matrix_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, Rule<E>>>{};
}
template <class Name, template <class> class Rule, Expression X>
using OfMatrix = typename decltype(of_matrix_type<Name, Rule, TensorOf<X>>())::type;

/// "m n" as "n m".
template <class E>
struct TurnedRule {
  static constexpr Shape shape =
      batch_and(E::shape, E::shape[E::shape.rank - 1], E::shape[E::shape.rank - 2]);
};

template <TensorType M>
std::int64_t rows_of(M const& a) {
  return at(a.sizes(), 1);
}
template <TensorType M>
std::int64_t columns_of(M const& a) {
  return at(a.sizes(), 2);
}

/// Rows, or columns, from `from` to before `to`.
template <TensorType M>
M rows_between(M const& a, std::int64_t from, std::int64_t to) {
  return slice<1>(a, from, to);
}
template <TensorType M>
M columns_between(M const& a, std::int64_t from, std::int64_t to) {
  return slice<2>(a, from, to);
}
/// One matrix below another, and beside it.
template <TensorType M>
M above(M const& a, M const& b) {
  return concat<1>(a, b);
}
template <TensorType M>
M beside(M const& a, M const& b) {
  return concat<2>(a, b);
}

template <TensorType M>
M scaled(M const& a, double by) {
  return a * static_cast<typename M::value_type>(by);
}
template <TensorType M>
M identity_like(M const& a) {
  return weights_like(a, rows_of(a), {0, 2, 0});
}
/// a⁻¹ b and b a⁻¹, and the same for a transposed.
template <TensorType M>
M left_quotient(M const& a, M const& b) {
  return recorded_solution(a, b);
}
template <TensorType M>
M right_quotient(M const& b, M const& a) {
  return transposed_matrices(recorded_solution(transposed_matrices(a), transposed_matrices(b)));
}

}  // namespace tenon::internal::linalg
