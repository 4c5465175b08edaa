#pragma once

#include <string_view>
#include <utility>

#include <tenon/core/dispatch.hpp>

/// The declaration of an op's public function in the op's file. `map`, which makes the expression,
/// is found by argument-dependent lookup where there are tensors. A function has a diagnostic
/// overload: where the operands do not fit, its return type, which is defined nowhere, names the
/// error.
namespace tenon {

/// The result type `R` of a function whose operands fit: an expression or a tensor.
template <class R>
concept WellFormed = requires { typename R::value_type; };

/// The result type `R` of a function whose operands do not fit: it names the error.
template <class R>
concept IllFormed = !WellFormed<R>;

}  // namespace tenon

namespace tenon::internal {

/// An op as a function object.
template <class Op>
struct MapCall {
  static constexpr std::string_view name = Op::name;

  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(map<Op>(std::forward<X>(x)...)) {
    return map<Op>(std::forward<X>(x)...);
  }
};

/// Error types, and operands that are no expressions. (Here, so that they are visible to every
/// function.)
template <class Op, class... X, IllFormed R = Dispatched<MapCall<Op>, X&&...>>
auto map(X&&... x) -> R;
template <class Op, class... X, WellFormed R = Dispatched<MapCall<Op>, X&&...>>
auto map(X&&... x) -> R {
  return Dispatch<MapCall<Op>, X&&...>::of(std::forward<X>(x)...);
}

/// The result of `map`: an expression, or an error type.
template <class Op, class... X>
using MapOf = decltype(map<Op>(std::declval<X>()...));

}  // namespace tenon::internal

namespace tenon {

using internal::map;
using internal::MapOf;

}  // namespace tenon
