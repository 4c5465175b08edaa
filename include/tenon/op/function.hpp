#pragma once

#include <utility>

#include <tenon/core/mistake.hpp>

/// How the file of an op declares its public function. `map`, which makes the recipe, is found by
/// argument-dependent lookup where there are tensors. A function has a twin that is declared only:
/// where the operands do not fit, its return type, which is defined nowhere, names the mistake.
namespace tenon {

/// Of a mistaken operand: its mistake. (Here, where every function sees it.)
template <class Op, class... X>
auto map(X const&...) -> FirstMistake<X...>;

/// What `map` makes of operands: a recipe, or the name of a mistake.
template <class Op, class... X>
using MapOf = decltype(map<Op>(std::declval<X>()...));

template <class R>
concept Sound = requires { typename R::value_type; };

template <class R>
concept Mistaken = !Sound<R>;

}  // namespace tenon
