#pragma once

#include <cstdint>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/axes.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/reduction/reductions.hpp>

namespace tenon::internal::training {

/// The share of elements whose largest score is that of their label: `accuracy<"digit">(scores,
/// labels)`. Ties count as the first. Scikit-learn: `accuracy_score`.
template <Axes axis, Expression Scores, Expression Labels>
double accuracy(Scores const& scores, Labels const& labels) {
  auto const is_right = eval(argmax<axis>(scores) == labels);
  auto const right = eval(sum(to<std::int64_t>(is_right))).item();
  return static_cast<double>(right) / static_cast<double>(is_right.size());
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::accuracy;

}  // namespace tenon::training
