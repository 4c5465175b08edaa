#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/call.hpp>
#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/pipeline/stage.hpp>

/// Pipeline parallelism: the layers of a model in stages, one per rank, with micro-batches.
namespace tenon::compile_error {

/// The type sent from stage to stage is not a tensor, nor a struct, tuple, array or optional of
/// tensors.
template <Spec Operation, class Stream>
struct is_not_a_stream;

}  // namespace tenon::compile_error

namespace tenon::internal {

struct PipelineName {
  static constexpr std::string_view name = "pipelined_value_and_grad";
};

struct ForwardName {
  static constexpr std::string_view name = "pipelined_forward";
};

namespace mpi {

/// The materialized result of `first`.
template <class First, class Model>
using StreamOf =
    decltype(evaluated_stream(std::declval<CallResult<First const&, Model const&, int>>()));

template <class Model, class First, class Last>
constexpr auto pipelined_type() {
  using Stream = StreamOf<First, Model>;
  if constexpr (!StreamType<Stream>)
    return std::type_identity<error::is_not_a_stream<spec_of_name<PipelineName>, Stream>>{};
  else return loss_type_at<PipelineName, Last const&, Model, Stream, int>();
}

/// The loss of a pipeline as a tensor, or an undefined type that names the error.
template <class Model, class First, class Last>
using PipelinedLoss = typename decltype(pipelined_type<Model, First, Last>())::type;

template <class Result, class Stream>
constexpr auto forward_type() {
  constexpr auto name = spec_of_name<ForwardName>;
  if constexpr (!StreamType<Stream>)
    return std::type_identity<error::is_not_a_stream<name, Stream>>{};
  else if constexpr (!StreamType<Result>)
    return std::type_identity<error::is_not_a_stream<name, Result>>{};
  else return std::type_identity<std::vector<Result>>{};
}

/// The results of `last` for all micro-batches, or an undefined type that names the error.
template <class Model, class First, class Last>
using Forwarded =
    typename decltype(forward_type<
                      decltype(evaluated_stream(
                          std::declval<CallResult<Last const&, Model const&,
                                                  StreamOf<First, Model> const&, int>>())),
                      StreamOf<First, Model>>())::type;

inline void check_pipeline(int micro_batches, Stages const& stages, Call const& call) {
  if (micro_batches < 1)
    fail<ValueError>({call.operation, "micro_batches", "1 or more", std::to_string(micro_batches)});
  if (recording != 0) fail<ValueError>({call.operation, {}, "no recording around it", "one"});
  agree(stages.group, call);
}

/// The call that all ranks of a pipeline make.
inline Call pipeline_call(std::string_view operation, Schedule const& schedule, int micro_batches,
                          SourceLocation where) {
  Call call{operation, schedule.name};
  call.where = where, call.rank = 1, call.sizes[0] = micro_batches;
  return call;
}

/// The outputs of the last stage for each micro-batch; empty on other stages.
template <class Result, class Model, class First, class Middle, class Last>
std::vector<Result> outputs_of(Model const& model, int micro_batches, Stages const& stages,
                               First const& first, Middle const& middle, Last const& last,
                               Call const& call) {
  using Stream = StreamOf<First, Model>;
  StageMail mail(stages.group, stages.mesh, call);
  std::vector<Result> outputs;
  for (int i = 0; i < micro_batches; ++i) {
    Stream const before = stages.is_first() ? Stream(evaluated_stream(first(model, i)))
                                            : mail.template receive_stream<Stream>(i);
    Stream const after = evaluated_stream(middle(model, before));
    if (stages.is_last()) outputs.push_back(evaluated_stream(last(model, after, i)));
    else mail.send_stream(after, i);
  }
  return mail.finish(), outputs;
}

}  // namespace mpi

/// The mean loss over micro-batches and its gradient, for a model whose layers are distributed over
/// the ranks of a pipeline: `auto [loss, grads] = pipelined_value_and_grad(model, 4, stages, first,
/// middle, last)`. `model` is a tree with the layers of the local stage; those of other stages are
/// absent (empty optionals), as are their gradients. `first(model, i)` creates the stream of
/// micro-batch i, on the first stage; `middle(model, stream)` applies the layers of a stage, on
/// all; `last(model, stream, i)` computes the loss, on the last, from which it is broadcast.
/// Gradients are added in the order of micro-batches: the same bits for any schedule and number of
/// stages. Collective over the stages; throws `CommunicationError` if numbers of micro-batches or
/// schedules differ. Megatron: `forward_backward_func`.
template <class Model, class First, class Middle, class Last,
          TensorType Loss = mpi::PipelinedLoss<Model, First, Last>>
std::pair<Loss, Model> pipelined_value_and_grad(
    Model const& model, int micro_batches, Stages const& stages, First const& first,
    Middle const& middle, Last const& last,
    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  using Stream = mpi::StreamOf<First, Model>;
  using Function = mpi::StageFunction<Loss, Stream, First, Middle, Last>;
  auto const call = mpi::pipeline_call(PipelineName::name, stages.schedule, micro_batches, where);
  mpi::check_pipeline(micro_batches, stages, call);
  mpi::StageRun<Model, Stream, Loss, Function> run(model, micro_batches, stages,
                                                   Function{first, middle, last}, call);
  run.run(actions_of(stages.schedule, stages.size(), stages.rank(), micro_batches));
  Loss loss = run.loss();
  return {std::move(loss), run.gradients()};
}
template <class Model, class First, class Middle, class Last,
          class Mistake = mpi::PipelinedLoss<Model, First, Last>>
  requires(!TensorType<Mistake>)
auto pipelined_value_and_grad(Model const&, int, Stages const&, First const&, Middle const&,
                              Last const&) -> Mistake;

/// The result of `last` for each micro-batch, a tensor or a struct of tensors, broadcast from the
/// last stage to all ranks. Not recorded: for evaluation and inference. Functions, errors and order
/// as in `pipelined_value_and_grad`. Megatron: `forward_only`.
template <class Model, class First, class Middle, class Last,
          class Outputs = mpi::Forwarded<Model, First, Last>>
  requires StreamType<typename Outputs::value_type>
Outputs pipelined_forward(Model const& model, int micro_batches, Stages const& stages,
                          First const& first, Middle const& middle, Last const& last,
                          mpi::SourceLocation where = mpi::SourceLocation::current()) {
  using Result = typename Outputs::value_type;
  auto const call = mpi::pipeline_call(ForwardName::name, {}, micro_batches, where);
  mpi::check_pipeline(micro_batches, stages, call);
  auto outputs = mpi::outputs_of<Result>(model, micro_batches, stages, first, middle, last, call);
  outputs.resize(static_cast<std::size_t>(micro_batches));
  for (Result& one : outputs)
    one = mpi::broadcast_stream(std::move(one), stages.size() - 1, stages.group, stages.mesh);
  return outputs;
}
template <class Model, class First, class Middle, class Last,
          class Wrong = mpi::Forwarded<Model, First, Last>>
  requires Mistake<Wrong>
auto pipelined_forward(Model const&, int, Stages const&, First const&, Middle const&, Last const&)
    -> Wrong;

}  // namespace tenon::internal

namespace tenon {

using internal::pipelined_forward;
using internal::pipelined_value_and_grad;

}  // namespace tenon
