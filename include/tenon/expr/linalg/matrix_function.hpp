#pragma once

#include <concepts>
#include <cstdint>

#include <tenon/expr/linalg/cholesky.hpp>

namespace tenon::internal::linalg {

struct MatrixFunctionName {
  static constexpr std::string_view name = "matrix_function";
};
struct MatrixPowerName {
  static constexpr std::string_view name = "matrix_power";
};

/// An op of one argument with a derivative.
template <class Op, class T>
concept SpectralOp = requires(T x) {
  { Op::f(x) } -> std::same_as<T>;
  Op::d(x, x);
};

template <class Name, class Op, class E>
constexpr auto matrix_function_type() {
  using mistake = typename decltype(symmetric_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (!std::is_void_v<Op> && !SpectralOp<Op, typename E::value_type>)
    return dtype_mistake<Op, E>();
  else return std::type_identity<TensorLike<E, CholeskyRule<E>>>{};
}
template <class Op, Expression X>
using MatrixFunction =
    typename decltype(matrix_function_type<MatrixFunctionName, Op, TensorOf<X>>())::type;
template <Expression X>
using MatrixPower =
    typename decltype(matrix_function_type<MatrixPowerName, void, TensorOf<X>>())::type;

/// f(A) = V diag(f(w)) Vᵀ of a symmetric matrix with eigenvalues w: `matrix_function<op::Exp>(a)`
/// of "n n" is "n n". Computes with (A + Aᵀ) / 2. `Op` has one argument and a derivative. The
/// gradient is exact, at equal eigenvalues too (Daleckii and Krein 1965); the second derivative is
/// NaN. Errors are those of `eigh`. SciPy: `linalg.funm`. PyTorch: `linalg.matrix_exp`.
template <class Op, Expression X, WellFormed Result = MatrixFunction<Op, X&&>>
auto matrix_function(X&& a) -> Result {
  return spectral_function(std::type_identity<Result>{}, std::type_identity<Op>{},
                           keep_value(std::forward<X>(a)));
}
template <class Op, Expression X, IllFormed Result = MatrixFunction<Op, X&&>>
auto matrix_function(X&& a) -> Result;
template <class Op, class... X, class R = Refused<MatrixFunctionName, X...>>
auto matrix_function(X const&...) -> R;

/// Aⁿ by repeated squaring: "n n" gives "n n", for n = 0 the identity, for n < 0 the power of the
/// inverse. Throws `ValueError` for n < 0 where A is singular, and for n above the range of int64.
/// PyTorch, NumPy: `linalg.matrix_power`.
template <Expression X, std::integral N, WellFormed Result = MatrixPower<X&&>>
auto matrix_power(X&& a, N n) -> Result {
  check_number<std::int64_t>(MatrixPowerName::name, n);
  return matrix_product_power(std::type_identity<Result>{}, keep_value(std::forward<X>(a)),
                              static_cast<std::int64_t>(n));
}
template <Expression X, std::integral N, IllFormed Result = MatrixPower<X&&>>
auto matrix_power(X&& a, N n) -> Result;
template <class... X, class R = Refused<MatrixPowerName, X...>>
auto matrix_power(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::matrix_function;
using internal::linalg::matrix_power;

}  // namespace tenon::linalg
