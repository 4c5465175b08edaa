#pragma once

#include <cstdint>
#include <utility>

#include <tenon/optim/step.hpp>

namespace tenon {

/// An average of the parameters of a model over steps: a plain tree. PyTorch:
/// `torch.optim.swa_utils.AveragedModel`.
template <class Tree>
struct AveragedModel {
  Tree model;              ///< What is not a parameter is that of the last step.
  std::int64_t steps = 0;  ///< The number of models averaged.
};

}  // namespace tenon

namespace tenon::internal::optim {

/// kept average + (1 - kept) model.
template <class Tree>
AveragedModel<Tree> average_with(AveragedModel<Tree> average, Tree const& model, double kept) {
  AveragedModel<Tree> next{model, average.steps + 1};
  if (average.steps == 0) return next;
  tree::zip(
      [kept]<class Leaf>(Leaf& result, Leaf const& before) {
        check_leaf<Leaf>();
        accumulate(result, 1 - kept, kept, before);
      },
      next.model, average.model);
  return next;
}

}  // namespace tenon::internal::optim

namespace tenon {

/// The exponential moving average of parameters: decay average + (1 - decay) model, after the first
/// step, which is the model. PyTorch: `swa_utils.get_ema_multi_avg_fn(decay)`.
struct EMA {
  double decay = 0.999;

  template <class Tree>
  AveragedModel<Tree> init(Tree const& model) const {
    return {model};
  }
  /// The average with one more model. A pure function.
  template <class Tree>
  AveragedModel<Tree> step(AveragedModel<Tree> average, Tree const& model) const {
    return internal::optim::average_with(std::move(average), model, decay);
  }
};

/// The mean of parameters (Izmailov et al., arXiv:1803.05407), for example after each epoch.
/// PyTorch: `swa_utils.get_swa_multi_avg_fn()`.
struct SWA {
  template <class Tree>
  AveragedModel<Tree> init(Tree const& model) const {
    return {model};
  }
  /// The average with one more model. A pure function.
  template <class Tree>
  AveragedModel<Tree> step(AveragedModel<Tree> average, Tree const& model) const {
    auto const n = static_cast<double>(average.steps);
    return internal::optim::average_with(std::move(average), model, n / (n + 1));
  }
};

}  // namespace tenon
