#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tenon/dist/topology.hpp>

namespace tenon {

/// A mesh by Megatron's names: axes `tp`, `cp`, `ep`, `dp`, `pp`, where one that the mesh lacks has
/// one rank. Its default order, tp-cp-ep-dp-pp from the fastest on, is `Mesh<"pp dp ep cp tp">`.
/// (megatron/core/parallel_state.py)
class ParallelState {
 public:
  explicit ParallelState(Topology topology) : topology_(std::move(topology)) {}

  Topology const& topology() const { return topology_; }

  /// The ranks that share each layer.
  Group const& tensor_model_parallel_group() const { return group("tp"); }
  int tensor_model_parallel_rank() const { return tensor_model_parallel_group().rank(); }
  int tensor_model_parallel_size() const { return tensor_model_parallel_group().size(); }

  /// The ranks that each have some of the layers.
  Group const& pipeline_model_parallel_group() const { return group("pp"); }
  int pipeline_model_parallel_rank() const { return pipeline_model_parallel_group().rank(); }
  int pipeline_model_parallel_size() const { return pipeline_model_parallel_group().size(); }
  bool is_pipeline_first_stage() const { return pipeline_model_parallel_rank() == 0; }
  bool is_pipeline_last_stage() const {
    return pipeline_model_parallel_rank() + 1 == pipeline_model_parallel_size();
  }

  /// The ranks that share one model: its layers and what is in them.
  Group const& model_parallel_group() const { return group("pp tp"); }
  int model_parallel_rank() const { return model_parallel_group().rank(); }
  int model_parallel_size() const { return model_parallel_group().size(); }

  /// The ranks that share each sequence.
  Group const& context_parallel_group() const { return group("cp"); }
  int context_parallel_rank() const { return context_parallel_group().rank(); }
  int context_parallel_size() const { return context_parallel_group().size(); }

  /// The ranks that share the experts.
  Group const& expert_model_parallel_group() const { return group("ep"); }
  int expert_model_parallel_rank() const { return expert_model_parallel_group().rank(); }
  int expert_model_parallel_size() const { return expert_model_parallel_group().size(); }

  /// The ranks that have the same layers and other samples: whoever shares experts has other
  /// samples too.
  Group const& data_parallel_group() const { return group("dp ep"); }
  int data_parallel_rank() const { return data_parallel_group().rank(); }
  int data_parallel_size() const { return data_parallel_group().size(); }

  /// The same with those that share sequences: all that add up gradients of a layer.
  Group const& data_parallel_group_with_context_parallel() const { return group("dp ep cp"); }

  /// The ranks that have the same experts: all that add up gradients of an expert.
  Group const& expert_data_parallel_group() const { return group("dp cp"); }
  int expert_data_parallel_rank() const { return expert_data_parallel_group().rank(); }
  int expert_data_parallel_size() const { return expert_data_parallel_group().size(); }

 private:
  /// Of axes that the mesh may lack.
  Group const& group(std::string_view names) const {
    std::string present;
    for (auto name = next_word(names); !name.empty(); name = next_word(names))
      if (topology_.has(name)) present.append(name).append(" ");
    return topology_.group(present);
  }

  Topology topology_;
};

}  // namespace tenon
