#pragma once

#include <cmath>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/eval/evaluate.hpp>

namespace tenon::training {

/// What a loss returns in place of a mean over the elements of a batch: a sum, a scalar, and the
/// number or the total weight of what it is a sum over, such as the tokens that are not masked:
/// `LossSum{sum(losses * mask), sum(mask)}`. The loss is their quotient, of several batches that of
/// the sums; a count of 0 contributes nothing. Flax: losses with a `weight_sum`. PyTorch:
/// `loss.sum() / num_items_in_batch`.
template <class Sum, class Count>
struct LossSum {
  Sum sum;
  Count count;  ///< A number, or a scalar that does not depend on the model.
};
template <class Sum, class Count>
LossSum(Sum, Count) -> LossSum<Sum, Count>;

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::LossSum;

template <class X>
inline constexpr bool is_loss_sum = false;
template <class Sum, class Count>
inline constexpr bool is_loss_sum<LossSum<Sum, Count>> = true;

/// The count of a sum. Throws `ValueError` for one that is negative or not finite.
template <class Count>
double count_of(Count const& count) {
  if constexpr (Expression<Count>) {
    return count_of(eval(count).item());
  } else {
    auto const number = static_cast<double>(count);
    if (number >= 0 && std::isfinite(number)) return number;
    fail<ValueError>({.who = "LossSum",
                      .what = "count",
                      .expected = "a finite number of at least 0",
                      .got = std::to_string(number)});
  }
}

}  // namespace tenon::internal::training
