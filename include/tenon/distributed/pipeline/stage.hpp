#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/distributed/pipeline/schedule.hpp>
#include <tenon/distributed/pipeline/streams.hpp>

namespace tenon {

/// The stages of a pipeline: the ranks of a group, in order, and the schedule. PyTorch:
/// `PipelineStage`.
struct Stages {
  Group group;
  Schedule schedule;
  std::shared_ptr<Topology const> mesh;  ///< Of sharded streams, with independent stages, or null.

  explicit Stages(Group const& ranks, Schedule turns = one_forward_one_backward)
      : group(ranks), schedule(turns) {}
  /// The stages along a mesh axis: `Stages(mesh, "pp")`. Throws `ValueError`.
  Stages(Topology const& ranks, std::string_view axis, Schedule turns = one_forward_one_backward)
      : group(ranks.group(axis)),
        schedule(turns),
        mesh(std::make_shared<Topology const>(ranks.independent(axis))) {}

  int size() const { return group.size(); }
  /// The stage of this rank, from 0.
  int rank() const { return group.rank(); }
  bool is_first() const { return rank() == 0; }
  bool is_last() const { return rank() == size() - 1; }
};

}  // namespace tenon

namespace tenon::internal {

/// The layers of the stage of this rank.
inline LayerRange layers_of_stage(int layers, Stages const& stages) {
  return layers_of_stage(layers, stages.size(), stages.rank());
}

namespace mpi {

/// The input of a stage: its layers and, except on the first stage, a stream.
template <class Model, class Stream>
struct StageInput {
  Model model;
  std::optional<Stream> stream;
};

/// The output of a stage: a stream, or on the last stage a loss.
template <class Stream, class Loss>
struct StageOutput {
  std::optional<Stream> stream;
  std::optional<Loss> loss;
};

/// The function of a stage for a micro-batch. (One type for all stages: it is compiled once.)
template <class Loss, class Stream, class First, class Middle, class Last>
struct StageFunction {
  First const& first;
  Middle const& middle;
  Last const& last;
  int micro_batch = 0;
  bool is_last = false;

  template <class Model>
  StageOutput<Stream, Loss> operator()(StageInput<Model, Stream> const& in) const {
    Stream const before = in.stream ? *in.stream : entered(in.model);
    Stream after = evaluated_stream(middle(in.model, before));
    if (!is_last) return {std::move(after), {}};
    return {{}, Loss(last(in.model, after, micro_batch))};
  }

 private:
  template <class Model>
  Stream entered(Model const& model) const {
    return evaluated_stream(first(model, micro_batch));
  }
};

/// A micro-batch between its forward and its backward.
template <class Model, class Stream, class Loss, class F>
struct Flight {
  using Input = StageInput<Model, Stream>;
  using Output = StageOutput<Stream, Loss>;

  std::optional<Stream> stream;   ///< The input, and its adjoint, which is sent back.
  Output output;                  ///< The output,
  std::optional<Stream> adjoint;  ///< and its adjoint, from the next stage.
  std::optional<Pullback<F, Output, Input>> pullback;
};

/// Executes the schedule of a stage.
template <class Model, class Stream, class Loss, class Function>
class StageRun {
 public:
  using Number = Computed<typename Loss::value_type>;

  StageRun(Model const& model, int micro_batches, Stages const& stages, Function const& function,
           Call const& call)
      : model_(model),
        micro_batches_(micro_batches),
        stages_(stages),
        function_(function),
        call_(call),
        mail_(stages.group, stages.mesh, call) {
    function_.is_last = stages.is_last();
  }

  void run(std::vector<Action> const& actions) {
    for (Action const& action : actions) {
      if (action.act < Act::receive_adjoint) advance(action);
      else return_with(action);
    }
    mail_.finish();
  }

  /// The mean loss over micro-batches, broadcast from the last stage.
  Loss loss() {
    Number mean = sum_ / static_cast<Number>(micro_batches_);
    mpi::broadcast(&mean, 1, stages_.size() - 1, stages_.group);
    return Loss(static_cast<typename Loss::value_type>(mean));
  }
  /// The gradient of that mean.
  Model gradients() { return std::move(*gradients_); }

 private:
  using Input = StageInput<Model, Stream>;
  using OneFlight = Flight<Model, Stream, Loss, Function>;

  /// Forward through the stage.
  void advance(Action const& action) {
    int const i = action.micro_batch;
    OneFlight& flight = flights_[i];
    if (action.act == Act::receive_stream) {
      flight.stream = mail_.template receive_stream<Stream>(i);
    } else if (action.act == Act::send_stream) {
      mail_.send_stream(*flight.output.stream, i);
    } else {
      record(flight, i);
      if (flight.output.loss) sum_ += static_cast<Number>(flight.output.loss->item());
    }
  }
  void record(OneFlight& flight, int i) {
    Function own = function_;
    own.micro_batch = i;
    auto [output, pullback] = vjp(own, Input{model_, std::exchange(flight.stream, {})});
    flight.output = std::move(output);
    flight.pullback.emplace(std::move(pullback));
  }

  /// Backward through the stage.
  void return_with(Action const& action) {
    OneFlight& flight = flights_.at(action.micro_batch);
    if (action.act == Act::receive_adjoint) {
      flight.adjoint = mail_.receive_adjoint(*flight.output.stream);
    } else if (action.act == Act::backward) {
      pull(flight);
      if (stages_.is_first()) flights_.erase(action.micro_batch);
    } else {
      mail_.send_adjoint(*flight.stream);
      flights_.erase(action.micro_batch);
    }
  }
  void pull(OneFlight& flight) {
    using T = typename Loss::value_type;
    typename OneFlight::Output seed{std::exchange(flight.adjoint, {}), {}};
    if (stages_.is_last())
      seed.loss = Loss(static_cast<T>(1 / static_cast<Number>(micro_batches_)));
    Input adjoint = (*flight.pullback)(seed);
    flight.pullback.reset();
    flight.output = {};
    flight.stream = std::move(adjoint.stream);
    if (!gradients_) gradients_ = std::move(adjoint.model);
    else tree::zip([](auto& sum, auto const& one) { sum += one; }, *gradients_, adjoint.model);
  }

  Model const& model_;
  int micro_batches_;
  Stages const& stages_;
  Function function_;
  Call const& call_;
  StageMail mail_;
  std::map<int, OneFlight> flights_;
  Number sum_ = 0;
  std::optional<Model> gradients_;
};

}  // namespace mpi

}  // namespace tenon::internal

namespace tenon {

using internal::layers_of_stage;

}  // namespace tenon
