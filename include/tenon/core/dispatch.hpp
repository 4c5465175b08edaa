#pragma once

#include <type_traits>

#include <tenon/core/mistake.hpp>

/// Functions of operands that are no expressions and stand for tensors: the layer that defines such
/// operands computes every function of them by one rule, from the function as an object. So a
/// function is declared once, in its own file. NumPy: `__array_function__`. PyTorch:
/// `__torch_function__`.
namespace tenon::internal {

/// Whether functions of `X` are dispatched.
template <class X>
inline constexpr bool is_dispatched = false;

/// A function of such operands: `type` is the result type, or the type that names an error, and
/// `of(x...)` the result. `Call` has the name of the function and, unless it is refused, an
/// `operator()` that applies it to tensors. (Defined in the layer of the operands.)
template <class Call, class... X>
struct Dispatch;

/// Whether a function of dispatched operands has a result.
template <class Call, class... X>
concept Dispatches = (is_dispatched<std::remove_cvref_t<X>> || ...) &&
                     requires { typename Dispatch<Call, X...>::type::value_type; };

/// The creation of a value of a dispatched type, `zeros<Sharded<...>>(mesh, n)`: the layer of the
/// type defines `of(arguments...)`.
template <class Name, class R, class... Arguments>
struct Creation;

template <class R, class Name, class... Arguments>
concept Creates = is_dispatched<R> && requires { sizeof(Creation<Name, R, Arguments...>); };

/// Whether an argument is an operand that is dispatched, or an error type.
template <class X>
inline constexpr bool is_no_expression = Mistake<X> || is_dispatched<X>;

template <class Call, class... X>
constexpr auto refused_type() {
  if constexpr ((Mistake<X> || ...)) return first_mistake<X...>();
  else if constexpr (!Dispatches<Call, X const&...>) return Dispatch<Call, X const&...>();
}

/// The return type of a function if an argument is an error type, which it forwards, or if the
/// layer of an operand refuses the function: the type that names the error.
template <class Call, class... X>
  requires(is_no_expression<X> || ...)
using Refused = typename decltype(refused_type<Call, X...>())::type;

}  // namespace tenon::internal
