#pragma once

#include <cstddef>
#include <optional>
#include <ranges>
#include <utility>

#include <tenon/autodiff/grad.hpp>
#include <tenon/optim/leaves.hpp>
#include <tenon/tree/tree.hpp>

#include <tenon/train/loop/train_step.hpp>

namespace tenon::internal::training {

/// Adds the gradients of one tree to those of another.
template <class Tree>
void add_gradients(Tree& sum, Tree const& other) {
  tree::zip([](auto& to,
               auto const& from) { optim::set_row(to, optim::row_of(to) + optim::row_of(from)); },
            sum, other);
}

template <class Tree>
void scale_gradients(Tree& gradients, double factor) {
  tree::for_each(
      [&](auto& gradient) { optim::set_row(gradient, optim::row_of(gradient) * factor); },
      gradients);
}

/// One step with the gradients of several batches, each of which is held in memory alone: the mean
/// of the losses and of their gradients, as of one batch if all have the same size. Throws
/// `ValueError` for no batch. PyTorch: `loss.backward()` of several micro-batches before
/// `optimizer.step()`.
template <class Model, std::ranges::input_range Batches, class Loss, class Optimizer, class State>
StepResult train_step_accumulated(Model& model, Batches&& batches, Loss const& loss,
                                  Optimizer const& optimizer, State& state,
                                  StepOptions const& options = {}) {
  check_options(options);
  double total = 0;
  std::size_t count = 0;
  std::optional<Model> sum;
  for (auto const& batch : batches) {
    auto [value, gradients] = value_and_grad([&](Model const& m) { return loss(m, batch); })(model);
    total += static_cast<double>(value.item());
    ++count;
    if (sum) add_gradients(*sum, gradients);
    else sum = std::move(gradients);
  }
  if (!sum) {
    fail<ValueError>({.who = "train_step_accumulated", .expected = "a batch", .got = "none"});
  }
  auto const parts = static_cast<double>(count);
  scale_gradients(*sum, 1 / parts);
  double const norm = apply_gradients(model, std::move(*sum), optimizer, state, options);
  return {total / parts, norm};
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::train_step_accumulated;

}  // namespace tenon::training
