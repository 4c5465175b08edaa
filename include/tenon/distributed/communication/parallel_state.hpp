#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/communication/topology.hpp>

namespace tenon {

/// A mesh by Megatron's names: axes `tp`, `cp`, `ep`, `dp`, `pp`; an axis missing from the mesh has
/// size 1. The default order, tp-cp-ep-dp-pp from the fastest on, is `Mesh<"pp dp ep cp tp">`.
/// (megatron/core/parallel_state.py)
class ParallelState {
 public:
  explicit ParallelState(Topology topology) : topology_(std::move(topology)) {}

  Topology const& topology() const { return topology_; }

  /// The ranks among which each layer is sharded.
  Group const& tensor_model_parallel_group() const { return group("tp"); }
  int tensor_model_parallel_rank() const { return tensor_model_parallel_group().rank(); }
  int tensor_model_parallel_size() const { return tensor_model_parallel_group().size(); }

  /// The ranks that hold the stages of one model.
  Group const& pipeline_model_parallel_group() const { return group("pp"); }
  int pipeline_model_parallel_rank() const { return pipeline_model_parallel_group().rank(); }
  int pipeline_model_parallel_size() const { return pipeline_model_parallel_group().size(); }
  bool is_pipeline_first_stage() const { return pipeline_model_parallel_rank() == 0; }
  bool is_pipeline_last_stage() const {
    return pipeline_model_parallel_rank() + 1 == pipeline_model_parallel_size();
  }

  /// The ranks that together hold one copy of the model.
  Group const& model_parallel_group() const { return group("pp tp"); }
  int model_parallel_rank() const { return model_parallel_group().rank(); }
  int model_parallel_size() const { return model_parallel_group().size(); }

  /// The ranks among which each sequence is divided.
  Group const& context_parallel_group() const { return group("cp"); }
  int context_parallel_rank() const { return context_parallel_group().rank(); }
  int context_parallel_size() const { return context_parallel_group().size(); }

  /// The ranks among which the experts are divided.
  Group const& expert_model_parallel_group() const { return group("ep"); }
  int expert_model_parallel_rank() const { return expert_model_parallel_group().rank(); }
  int expert_model_parallel_size() const { return expert_model_parallel_group().size(); }

  /// The ranks that hold the same layers and process other samples; this includes the ranks among
  /// which experts are divided.
  Group const& data_parallel_group() const { return group("dp ep"); }
  int data_parallel_rank() const { return data_parallel_group().rank(); }
  int data_parallel_size() const { return data_parallel_group().size(); }

  /// Including context parallelism: all ranks over which the gradients of a layer are summed.
  Group const& data_parallel_group_with_context_parallel() const { return group("dp ep cp"); }

  /// The ranks that hold the same experts: all over which the gradients of an expert are summed.
  Group const& expert_data_parallel_group() const { return group("dp cp"); }
  int expert_data_parallel_rank() const { return expert_data_parallel_group().rank(); }
  int expert_data_parallel_size() const { return expert_data_parallel_group().size(); }

 private:
  /// The group of axes, some of which may be missing from the mesh.
  Group const& group(std::string_view names) const {
    std::string present;
    for (auto name = internal::next_word(names); !name.empty(); name = internal::next_word(names))
      if (topology_.has(name)) present.append(name).append(" ");
    return topology_.group(present);
  }

  Topology topology_;
};

}  // namespace tenon
