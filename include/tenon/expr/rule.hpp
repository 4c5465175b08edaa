#pragma once

#include <type_traits>

#include <tenon/core/dispatch.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/tensor/expression.hpp>

/// What a function requires of the types of its arguments, as a rule: a type with a name, where
/// `mistake<X...>()` names the error of expressions, or is `void`. The function is constrained by
/// `RuleFits<Rule, X...>`, and its diagnostic overload returns `RuleError<Rule, X...>`.
namespace tenon::internal {

template <class Rule, class... X>
using RuleMistake = typename decltype(Rule::template mistake<Unqualified<X>...>())::type;

template <class Rule, class... X>
concept RuleFits = (Expression<X> && ...) && std::is_void_v<RuleMistake<Rule, X...>>;

/// The error of expressions, or that of an argument that is none; no type where arguments fit.
template <class Rule, class... X>
struct FindRuleError {};
template <class Rule, class... X>
  requires(Expression<X> && ...) && (!RuleFits<Rule, X...>)
struct FindRuleError<Rule, X...> {
  using type = RuleMistake<Rule, X...>;
};
template <class Rule, class... X>
  requires(is_no_expression<X> || ...)
struct FindRuleError<Rule, X...> {
  using type = Refused<Rule, X...>;
};
template <class Rule, class... X>
using RuleError = typename FindRuleError<Rule, X...>::type;

}  // namespace tenon::internal
