#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/collectives/all_to_all.hpp>
#include <tenon/distributed/collectives/gather.hpp>
#include <tenon/nn/mixture_of_experts.hpp>

/// Expert parallelism: every rank routes its own tokens, an all_to_all sends them to their experts,
/// and a second one returns the outputs. D. Lepikhin et al., "GShard", 2020.
namespace tenon {

/// The groups of a mixture of experts, by Megatron's names: expert model parallel, expert data
/// parallel and data parallel (including context parallelism).
struct ExpertGroups {
  Group experts;  ///< "ep": each has some of the experts, and other tokens.
  Group copies;   ///< "dp cp": they have the same experts, and other tokens.
  Group tokens;   ///< "dp ep cp": all of them, whose tokens are one batch.
};

}  // namespace tenon

namespace tenon::internal {

/// An axis whose size differs between ranks.
template <Spec Axis>
struct AnyNumberOf {
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = named_axis(LayerAxis<Axis>::axis.name.view());
    return result;
  }();
};

/// How often the tokens of all ranks of a group choose each expert.
template <class R>
ExpertLoad load_over_ranks(R const& routing, std::int64_t experts, int choices, Group const& group,
                           mpi::SourceLocation where) {
  using Counts = Tensor<std::int64_t, "rank expert">;
  auto const own = counts_of_choices(routing.experts, experts);
  Counts counts = Counts::uninitialised(Counts::with_run_time_sizes({1, experts}));
  std::copy(own.begin(), own.end(), counts.own_memory());
  Counts const all = all_gather<"rank">(counts, group, where);
  ExpertLoad load{{}, choices, static_cast<std::size_t>(group.rank())};
  for (std::int64_t const* row = all.data(); row < all.data() + all.size(); row += experts)
    load.counts.emplace_back(row, row + experts);
  return load;
}

/// The shard of a mixture of experts for this rank: the full gate and a contiguous range of the
/// experts, split as evenly as possible (the first ranks have one more).
template <Spec Embed, Spec Hidden, Spec Experts, int k, class... Kind>
MixtureOfExperts<Embed, Hidden, spec_of<AnyNumberOf<Experts>>, k, Kind...> part_of_experts(
    MixtureOfExperts<Embed, Hidden, Experts, k, Kind...> const& all, Group const& experts) {
  return {all.gate,
          part_of<0>(all.up, experts),
          part_of<0>(all.up_bias, experts),
          part_of<0>(all.down, experts),
          part_of<0>(all.down_bias, experts),
          all.options};
}

/// The layer with weights whose adjoints are summed over all ranks that use them.
template <class Layer>
Layer shared_by(Layer const& layer, ExpertGroups const& groups, mpi::SourceLocation where) {
  return {copy_to(layer.gate, groups.tokens, where),      copy_to(layer.up, groups.copies, where),
          copy_to(layer.up_bias, groups.copies, where),   copy_to(layer.down, groups.copies, where),
          copy_to(layer.down_bias, groups.copies, where), layer.options};
}

/// Applies a layer of `part_of_experts` to the tokens of this rank, "… embed"; also returns the
/// losses of the router, computed over the tokens of all ranks. The capacity of an expert is
/// counted over the tokens of all ranks in rank order, so that the dropped tokens are those that
/// one rank with the global batch drops; with `options.capacity_per_rank`, per rank.
/// Differentiable: the gradient of the gate is summed over all ranks, that of an expert over the
/// ranks that hold a copy of it.
/// Throws `CommunicationError`. Megatron: `MoEAlltoAllTokenDispatcher`.
template <Spec Embed, Spec Hidden, Spec Experts, int k, class... Kind, Expression X>
  requires EndsWith<X, Embed>
auto mixed_over_ranks(MixtureOfExperts<Embed, Hidden, Experts, k, Kind...> const& own, X const& x,
                      ExpertGroups const& groups,
                      mpi::SourceLocation where = mpi::SourceLocation::current()) {
  TensorOf<X> const tokens = x;
  auto const layer = shared_by(own, groups, where);
  auto const routing = layer.route(rows_of_tokens(tokens));
  auto const load = load_over_ranks(routing, at(layer.gate.sizes(), 1), k, groups.tokens, where);
  auto const rooms = rooms_of(load, layer.options.capacity_factor, layer.options.capacity_per_rank);
  auto const far_away = [&](auto const& sent) {
    auto const arrived = all_to_all<0, 1>(sent, groups.experts, where);
    return all_to_all<1, 0>(layer.experts(arrived), groups.experts, where);
  };
  auto const done = through_experts<Experts>(rows_of_tokens(tokens), routing, rooms, far_away);
  auto const balance = all_reduce(balance_loss_share(routing, load), groups.tokens, where);
  return ExpertMixture<TensorOf<X>, Unqualified<decltype(balance)>>{
      reshaped<TensorOf<X>>(done, tokens.sizes()), balance,
      all_reduce(z_loss_share(routing, load), groups.tokens, where)};
}

}  // namespace tenon::internal

namespace tenon {

using internal::load_over_ranks;
using internal::mixed_over_ranks;
using internal::part_of_experts;

}  // namespace tenon
