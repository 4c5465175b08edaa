#pragma once

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/fold/fold.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/move/move.hpp>
#include <tenon/expr/move/stepped.hpp>

namespace tenon {

/// Calls `f` for every operand of a node, in order; a leaf has none.
template <class E, class F>
constexpr void each_operand(E const& e, F const& f) {
  if constexpr (requires { e.operand; }) f(e.operand);
  if constexpr (requires { e.table; }) f(e.table), f(e.ids);
  if constexpr (requires { e.a; }) f(e.a);
  if constexpr (requires { e.b; }) f(e.b);
  if constexpr (requires { e.c; }) f(e.c);
}

/// Calls `f` for the run-time numbers that make a node what it is, beside its operands.
template <class E, class F>
constexpr void each_number(E const& e, F const& f) {
  auto const each = [&](auto const& numbers) {
    for (std::int64_t number : numbers) f(number);
  };
  if constexpr (requires { e.extents; }) each(e.extents);
  if constexpr (is_move<E>) each(e.sizes()), each(e.start);
  if constexpr (requires { e.steps; }) each(e.steps.along), f(e.steps.start);
}

}  // namespace tenon
