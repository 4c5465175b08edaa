#pragma once

#include <concepts>

#include <tenon/op/activations.hpp>
#include <tenon/op/arithmetic.hpp>
#include <tenon/op/cast.hpp>
#include <tenon/op/compare.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/op/extremes.hpp>
#include <tenon/op/hyperbolic.hpp>
#include <tenon/op/integer.hpp>
#include <tenon/op/inverse_trigonometric.hpp>
#include <tenon/op/normal.hpp>
#include <tenon/op/power.hpp>
#include <tenon/op/predicate.hpp>
#include <tenon/op/rounding.hpp>
#include <tenon/op/select.hpp>
#include <tenon/op/shifted.hpp>
#include <tenon/op/trigonometric.hpp>

/// The lists of all ops, from which the tests and the backends are generated. An op is added to the
/// list in its family's file; only a new family is added here.
namespace tenon::op {

/// Ops that take many machine instructions.
using Elementary = Joined<Exponentials, Shifted, ShiftedByConstants, Normals, Powers, Trigonometric,
                          InverseTrigonometric, Angles, Hyperbolic, SmoothActivations>;

using Unary = Joined<ArithmeticUnary, Roundings, Exponentials, Shifted, Normals, Trigonometric,
                     InverseTrigonometric, Hyperbolic, Activations>;
using Binary = Joined<ArithmeticBinary, Extremes, Powers, Angles>;
using Ternary = Selections;
using All = Joined<Unary, Binary, Ternary, Predicates, Comparisons, MaskUnary, MaskBinary,
                   IntegerUnary, IntegerBinary>;

template <class Op, class... Ops>
constexpr bool is_one_of(List<Ops...>) {
  return (std::same_as<Op, Ops> || ...);
}

/// Calls `action.template operator()<Op>()` for every op of a list.
template <class... Ops, class Action>
constexpr void for_each(List<Ops...>, Action&& action) {
  (action.template operator()<Ops>(), ...);
}

}  // namespace tenon::op
