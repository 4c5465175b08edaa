#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>

/// Pipeline schedules: the layers of a model in stages, a batch in micro-batches. Pure functions of
/// integers.
namespace tenon::internal {

/// An action of a stage for a micro-batch. A stream is the activation sent from stage to stage; its
/// adjoint is sent back.
enum class Act { receive_stream, forward, send_stream, receive_adjoint, backward, send_adjoint };

}  // namespace tenon::internal

namespace tenon {

/// One step of a stage: the forward or the backward of a micro-batch.
struct Action {
  internal::Act act = internal::Act::forward;
  int micro_batch = 0;

  friend constexpr bool operator==(Action const&, Action const&) = default;
};

/// The order of the actions of a stage: forward and backward alternate once a number of
/// micro-batches is in flight.
struct Schedule {
  std::string_view name{};
  /// The most micro-batches between their forward and backward, whose activations a stage stores.
  int (*in_flight)(int stages, int stage, int micro_batches) = nullptr;
};

}  // namespace tenon

namespace tenon::internal {

/// All micro-batches forward, then all backward. Huang et al. 2019, arXiv:1811.06965. PyTorch:
/// `ScheduleGPipe`.
inline constexpr Schedule gpipe{"GPipe", [](int, int, int micro_batches) { return micro_batches; }};

/// One forward, one backward, as soon as the first micro-batch returns: the bubble of GPipe, with
/// at most as many stored micro-batches as there are stages from this one on. PipeDream-Flush:
/// Narayanan et al. 2021, arXiv:2104.04473, section 2.2.1; Megatron: "1F1B". PyTorch:
/// `Schedule1F1B`.
inline constexpr Schedule one_forward_one_backward{
    "1F1B", [](int stages, int stage, int micro_batches) {
      return (std::min)(stages - stage, micro_batches);
    }};

}  // namespace tenon::internal

namespace tenon {

/// A range of layers, `end` excluded.
struct LayerRange {
  int begin = 0;
  int end = 0;

  constexpr int size() const { return end - begin; }
  constexpr bool contains(int layer) const { return begin <= layer && layer < end; }
  friend constexpr bool operator==(LayerRange const&, LayerRange const&) = default;
};

}  // namespace tenon

namespace tenon::internal {

/// The layers of a stage, split as equally as possible: the first stages have one more. With fewer
/// layers than stages the last stages have none. Throws `ValueError` for an invalid stage.
constexpr LayerRange layers_of_stage(int layers, int stages, int stage) {
  if (layers < 0 || stage < 0 || stage >= stages)
    fail<ValueError>({"layers_of_stage",
                      {},
                      "a stage of some",
                      std::to_string(stage) + " of " + std::to_string(stages)});
  int const share = layers / stages, more = layers % stages;
  int const begin = stage * share + (std::min)(stage, more);
  return {begin, begin + share + (stage < more ? 1 : 0)};
}

/// The fraction of time in which a stage is idle, if all stages take equally long for a micro-batch
/// and communication is free: (stages - 1) / (micro_batches + stages - 1), for both schedules.
/// Huang et al. 2019, section 2.3. (Narayanan et al. 2021 divide by the busy time: (stages - 1) /
/// micro_batches.)
constexpr double bubble(int stages, int micro_batches) {
  return double(stages - 1) / double(micro_batches + stages - 1);
}

/// All actions of a stage, in order. Free of deadlock: sends do not block, and each receive matches
/// a send that does not depend on this stage.
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

}  // namespace tenon::internal

namespace tenon {

using internal::actions_of;
using internal::bubble;
using internal::gpipe;
using internal::layers_of_stage;
using internal::one_forward_one_backward;

}  // namespace tenon
