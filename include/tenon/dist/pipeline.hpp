#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <tenon/dist/pipeline_stage.hpp>

/// A model's layers in stages, a stage on each rank, and micro-batches that go through them.
namespace tenon {

namespace error {

/// What is handed from stage to stage is no tensor, and no struct, tuple, array or optional of
/// tensors.
template <Spec Operation, class Stream>
struct is_not_a_stream;

}  // namespace error

struct PipelineName {
  static constexpr std::string_view name = "pipelined_value_and_grad";
};

namespace mpi {

/// What `first` gives, evaluated.
template <class First, class Model>
using StreamOf =
    decltype(stream_value(std::declval<std::invoke_result_t<First const&, Model const&, int>>()));

template <class Model, class First, class Last>
constexpr auto pipelined_type() {
  using Stream = StreamOf<First, Model>;
  if constexpr (!StreamType<Stream>)
    return std::type_identity<error::is_not_a_stream<spec_of_name<PipelineName>, Stream>>{};
  else
    return loss_type_at<PipelineName, Model,
                        std::invoke_result_t<Last const&, Model const&, Stream const&, int>>();
}

/// The loss of a pipeline as a tensor, or an undefined type that names the mistake.
template <class Model, class First, class Last>
using PipelinedLoss = typename decltype(pipelined_type<Model, First, Last>())::type;

inline void check_pipeline(int micro_batches, Stages const& stages, Call const& call) {
  if (micro_batches < 1)
    fail<ValueError>({call.operation, "micro_batches", "1 or more", std::to_string(micro_batches)});
  if (recording != 0) fail<ValueError>({call.operation, {}, "no recording around it", "one"});
  agree(stages.group, call);
}

/// All that this rank's stage does.
template <bool learns, class Loss, class Model, class First, class Middle, class Last>
auto run_pipeline(Model const& model, int micro_batches, Stages const& stages, First const& first,
                  Middle const& middle, Last const& last, Place where) {
  using Stream = StreamOf<First, Model>;
  using Function = StageFunction<Loss, Stream, First, Middle, Last>;
  Call call{learns ? PipelineName::name : "pipelined_value", stages.schedule.name};
  call.where = where, call.rank = 1, call.sizes[0] = micro_batches;
  check_pipeline(micro_batches, stages, call);
  StageRun<Model, Stream, Loss, Function> run(model, micro_batches, stages,
                                              Function{first, middle, last}, call);
  int const size = stages.size(), rank = stages.rank();
  if constexpr (learns) {
    run.template run<true>(actions_of(stages.schedule, size, rank, micro_batches));
    Loss loss = run.loss();
    return std::pair<Loss, Model>(std::move(loss), run.gradients());
  } else {
    run.template run<false>(forward_actions_of(size, rank, micro_batches));
    return run.loss();
  }
}

}  // namespace mpi

/// The mean loss over micro-batches and its gradient, of a model whose layers are on the ranks of a
/// pipeline: `auto [loss, grads] = pipelined_value_and_grad(model, 4, stages, first, middle,
/// last)`. `model` is any tree with the layers of this rank's stage, those of others being absent
/// (optionals without value); so are their gradients. `first(model, i)` begins the stream of
/// micro-batch i, on the first stage; `middle(model, stream)` takes it through the layers of a
/// stage, on all; `last(model, stream, i)` gives the loss, on the last. The loss is broadcast from
/// there. Gradients are added in the order of micro-batches: the same bits for any schedule and any
/// number of stages. All ranks of the stages call it; throws `CommunicationError` where their
/// numbers of micro-batches or schedules differ. Megatron: `forward_backward_func`.
template <class Model, class First, class Middle, class Last,
          TensorType Loss = mpi::PipelinedLoss<Model, First, Last>>
std::pair<Loss, Model> pipelined_value_and_grad(Model const& model, int micro_batches,
                                                Stages const& stages, First const& first,
                                                Middle const& middle, Last const& last,
                                                mpi::Place where = mpi::Place::current()) {
  return mpi::run_pipeline<true, Loss>(model, micro_batches, stages, first, middle, last, where);
}
template <class Model, class First, class Middle, class Last,
          class Mistake = mpi::PipelinedLoss<Model, First, Last>>
  requires(!TensorType<Mistake>)
auto pipelined_value_and_grad(Model const&, int, Stages const&, First const&, Middle const&,
                              Last const&) -> Mistake;

/// The mean loss alone: nothing is recorded, and nothing comes back.
template <class Model, class First, class Middle, class Last,
          TensorType Loss = mpi::PipelinedLoss<Model, First, Last>>
Loss pipelined_value(Model const& model, int micro_batches, Stages const& stages,
                     First const& first, Middle const& middle, Last const& last,
                     mpi::Place where = mpi::Place::current()) {
  return mpi::run_pipeline<false, Loss>(model, micro_batches, stages, first, middle, last, where);
}

}  // namespace tenon
