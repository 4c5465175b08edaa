#pragma once

#include <utility>

#include <tenon/core/mistake.hpp>

/// The declaration of an op's public function in the op's file. `map`, which makes the expression,
/// is found by argument-dependent lookup where there are tensors. A function has a diagnostic
/// overload: where the operands do not fit, its return type, which is defined nowhere, names the
/// error.
namespace tenon::internal {

/// Forwards the error type of an operand. (Here, so that it is visible to every function.)
template <class Op, class... X>
auto map(X const&...) -> FirstMistake<X...>;

/// The op that is the same function of complex numbers. `op/complex.hpp` defines them.
template <class Op>
struct OnComplex {};

/// The result of `map`: an expression, or an error type.
template <class Op, class... X>
using MapOf = decltype(map<Op>(std::declval<X>()...));

}  // namespace tenon::internal

namespace tenon {

/// The result type `R` of a function whose operands fit: an expression or a tensor.
template <class R>
concept WellFormed = requires { typename R::value_type; };

/// The result type `R` of a function whose operands do not fit: it names the error.
template <class R>
concept IllFormed = !WellFormed<R>;

using internal::map;
using internal::MapOf;

}  // namespace tenon
