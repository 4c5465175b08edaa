#pragma once

#include <tenon/eval/tape/tape.hpp>
#include <tenon/ir/fusion.hpp>

namespace tenon::internal {

/// The policy for materializing: evaluates what must be computed before its kernel runs.
struct EvaluateFirst {
  template <class E>
  constexpr auto operator()(E const& e) const {
    return evaluate_expression(e);
  }
  template <class R, class E>
  static constexpr auto reshaped_to(E const& value, Sizes const& sizes) {
    return reshaped<R>(value, sizes);
  }
};

/// An expression in one kernel: what cannot be part of it is evaluated first.
template <class E>
constexpr auto materialized(E const& e) {
  return with_packed_tensors(materialized(e, EvaluateFirst()), EvaluateFirst());
}

}  // namespace tenon::internal
