// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

/// Who does what when in a pipeline: a model's layers in stages, a batch in micro-batches that go
/// through them. Pure functions of numbers, which know neither tensors nor ranks.
namespace tenon {

/// What a stage does with a micro-batch. A stream is what goes from stage to stage, its adjoint
/// comes back.
enum class Act { receive_stream, forward, send_stream, receive_adjoint, backward, send_adjoint };

struct Action {
  Act act = Act::forward;
  int micro_batch = 0;

  friend constexpr bool operator==(Action const&, Action const&) = default;
};

/// In which order the stages of a pipeline work: forward and backward in turns, once so many
/// micro-batches wait for their backward.
struct Schedule {
  std::string_view name{};
  /// The most micro-batches that have been forward and not yet backward: what a stage remembers.
  int (*in_flight)(int stages, int stage, int micro_batches) = nullptr;
};

/// All micro-batches forward, then all backward. Huang et al. 2019, arXiv:1811.06965.
inline constexpr Schedule gpipe{"GPipe", [](int, int, int micro_batches) { return micro_batches; }};

/// One forward, one backward, as soon as the first micro-batch is back: with the bubble of GPipe a
/// stage remembers no more micro-batches than there are stages from it on. PipeDream-Flush:
/// Narayanan et al. 2021, arXiv:2104.04473, section 2.2.1; Megatron: "1F1B".
inline constexpr Schedule one_forward_one_backward{"1F1B",
                                                   [](int stages, int stage, int micro_batches) {
                                                     return std::min(stages - stage, micro_batches);
                                                   }};

/// A run of layers, `end` not among them.
struct LayerRange {
  int begin = 0;
  int end = 0;

  constexpr int size() const { return end - begin; }
  constexpr bool contains(int layer) const { return begin <= layer && layer < end; }
  friend constexpr bool operator==(LayerRange const&, LayerRange const&) = default;
};

/// The layers of a stage, as equal shares as can be: the first stages have one more. Where there
/// are fewer layers than stages the last stages have none. Throws `ValueError` for a stage that is
/// not there.
constexpr LayerRange layers_of_stage(int layers, int stages, int stage) {
  if (layers < 0 || stage < 0 || stage >= stages)
    fail<ValueError>({"layers_of_stage",
                      {},
                      "a stage of some",
                      std::to_string(stage) + " of " + std::to_string(stages)});
  int const share = layers / stages, more = layers % stages;
  int const begin = stage * share + std::min(stage, more);
  return {begin, begin + share + (stage < more ? 1 : 0)};
}

/// The share of the time in which a stage waits, where all stages take equally long for a
/// micro-batch and sending takes no time: (stages - 1) / (micro_batches + stages - 1), of both
/// schedules. Huang et al. 2019, section 2.3. (Narayanan et al. 2021 divide by the time of work
/// alone: (stages - 1) / micro_batches.)
constexpr double bubble(int stages, int micro_batches) {
  return double(stages - 1) / double(micro_batches + stages - 1);
}

/// All that a stage does, in order. Sends do not wait: what is received was sent before by a
/// neighbour that came to it without this stage, so nobody waits for ever.
constexpr std::vector<Action> actions_of(Schedule const& schedule, int stages, int stage,
                                         int micro_batches) {
  bool const is_first = stage == 0, is_last = stage == stages - 1;
  int const in_flight = schedule.in_flight(stages, stage, micro_batches);
  std::vector<Action> actions;
  auto const forward = [&](int i) {
    if (!is_first) actions.push_back({Act::receive_stream, i});
    actions.push_back({Act::forward, i});
    if (!is_last) actions.push_back({Act::send_stream, i});
  };
  auto const backward = [&](int i) {
    if (!is_last) actions.push_back({Act::receive_adjoint, i});
    actions.push_back({Act::backward, i});
    if (!is_first) actions.push_back({Act::send_adjoint, i});
  };
  for (int i = 0; i < micro_batches + in_flight - 1; ++i) {
    if (i < micro_batches) forward(i);
    if (i >= in_flight - 1) backward(i - in_flight + 1);
  }
  return actions;
}

}  // namespace tenon
