#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/distributed/experts/experts.hpp>
#include <tenon/distributed/sharding/create.hpp>
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/tensor_parallel/layers.hpp>
#include <tenon/distributed/tensor_parallel/losses.hpp>

/// A mixture of experts sharded over mesh axes, in types.
namespace tenon::internal {

/// The axes of a spec without their sharding.
template <Spec S>
inline constexpr auto undivided = spec_of<ShardingOf<canonical_sharding<S>>>;

/// The mesh axes that divide the tokens of `X`: all of its axes but the last.
template <class X>
struct DividingTokens {
  static constexpr FixedText text = [] {
    Sharding tokens = X::sharding;
    tokens[tokens.shape.rank - 1] = FixedText();
    return divided_over(tokens);
  }();
};

/// A list of mesh axes without those of another list.
constexpr FixedText without(FixedText const& list, FixedText const& others) {
  FixedText result;
  for_each_mesh_axis(list.view(), [&](std::string_view name) {
    if (!lists(others.view(), name)) result = with_mesh_axis(result, name);
  });
  return result;
}

/// The sharding of slots: the mesh axes of the tokens, with those that also divide experts moved to
/// the end in reverse order, so that each all_to_all moves one of them.
constexpr FixedText slots_over(FixedText const& tokens, FixedText const& experts) {
  FixedText result = without(tokens, experts), rest = experts;
  while (!rest.empty()) {
    std::string_view const last = last_of(rest.view());
    if (lists(tokens.view(), last)) result = with_mesh_axis(result, last);
    rest = FixedText(without_last(rest.view()));
  }
  return result;
}

/// The shardings of `Slots`, "expert slot embed": at the tokens of `X`, and at the experts of a
/// weight.
template <class X, class Slots, class Weight>
struct SlotSharding {
  static constexpr FixedText experts = Weight::sharding[0];
  static constexpr FixedText all = slots_over(DividingTokens<X>::text, experts);
  static constexpr FixedText others = without(all, experts);
  struct AtTokens {
    static constexpr Sharding sharding() {
      Sharding result{Slots::shape, {}};
      result[1] = all;
      return result;
    }
  };
  struct AtExperts {
    static constexpr Sharding sharding() {
      Sharding result{Slots::shape, {}};
      result[0] = experts;
      result[1] = others;
      return result;
    }
  };
  static constexpr auto at_tokens = ShardingBy<AtTokens>::spec;
  static constexpr auto at_experts = ShardingBy<AtExperts>::spec;
};

/// Whether the last axis of `X` is the input axis of a layer, and not sharded.
template <class X, Spec Embed>
concept EndsUndivided = ShardType<X> && EndsWith<UnshardedTensor<X>, Embed> &&
                        X::sharding[X::sharding.shape.rank - 1].empty();

template <class X>
struct LastAxis {
  static constexpr FixedText text = axis_text(X::sharding, X::sharding.shape.rank - 1);
};

/// The error type for an `X` that a layer does not accept; `void` if it does.
template <class Layer, class X, Spec Embed>
constexpr auto sharded_experts_mistake() {
  constexpr auto name = spec_of_name<Layer>;
  if constexpr (PartialShardType<X>)
    return std::type_identity<error::value_is_partial_over<name, X::over, X::spec>>{};
  else if constexpr (!EndsWith<UnshardedTensor<X>, Embed>)
    return std::type_identity<LayerMistake<Layer, UnshardedTensor<X>, Embed>>{};
  else if constexpr (!EndsUndivided<X, Embed>)
    return std::type_identity<
        error::axis_is_divided_reshard_first<name, spec_of_text<LastAxis<X>>, X::spec>>{};
  else return std::type_identity<void>{};
}
template <class Layer, AnyShard X, Spec Embed>
using ShardedExpertsMistake = typename decltype(sharded_experts_mistake<Layer, X, Embed>())::type;

}  // namespace tenon::internal

namespace tenon {

/// `MixtureOfExperts` over a mesh: `ShardedMixtureOfExperts<"embed=64", "hidden=256",
/// "expert=8@ep", 2>` maps x "batch@dp@ep t embed=64" to the same spec. Each mesh axis may divide
/// tokens, experts, both or neither, and others the hidden units, "hidden=256@tp"; the number of
/// experts need not be divisible. Tokens are sent to the ranks of their experts; capacity and
/// losses are computed over the tokens of all ranks (see `mixed_over_ranks`). Megatron: `MoELayer`.
template <Spec Embed, Spec Hidden, Spec Experts, int k, class... Kind>
struct ShardedMixtureOfExperts {
  static constexpr std::string_view name = "MixtureOfExperts";
  using Of = internal::LayerKind<Kind...>;
  template <Spec... S>
  using Weight = internal::ShardedLayerTensor<Of, S...>;

  Weight<Embed, internal::undivided<Experts>> gate;
  Weight<Experts, Embed, Hidden> up;
  Weight<Experts, Hidden> up_bias;
  Weight<Experts, Hidden, Embed> down;
  Weight<Experts, Embed> down_bias;
  RouterOptions options{.renormalise = k > 1};

  /// Zero-initialised, with `n` experts, if "expert" is a run-time axis.
  static ShardedMixtureOfExperts with_experts(Topology const& mesh, std::int64_t n)
    requires(internal::LayerAxis<internal::undivided<Experts>>::size == internal::dynamic)
  {
    return {zeros<Weight<Embed, internal::undivided<Experts>>>(mesh, n),
            zeros<Weight<Experts, Embed, Hidden>>(mesh, n), zeros<Weight<Experts, Hidden>>(mesh, n),
            zeros<Weight<Experts, Hidden, Embed>>(mesh, n), zeros<Weight<Experts, Embed>>(mesh, n)};
  }

  template <ShardType X>
    requires internal::EndsUndivided<X, Embed>
  auto operator()(X const& x, internal::mpi::SourceLocation where =
                                  internal::mpi::SourceLocation::current()) const {
    auto const tokens = evaluated(x);
    return mixed(tokens, planned(tokens, where), where);
  }
  template <AnyShard X,
            class R = internal::ShardedExpertsMistake<ShardedMixtureOfExperts, X, Embed>>
    requires(!std::is_void_v<R>)
  auto operator()(X const& x) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&) const -> X;

  /// The same, with the losses of the router.
  template <ShardType X>
    requires internal::EndsUndivided<X, Embed>
  auto with_losses(X const& x, internal::mpi::SourceLocation where =
                                   internal::mpi::SourceLocation::current()) const {
    auto const tokens = evaluated(x);
    auto const plan = planned(tokens, where);
    auto const added = [&](auto const& part) {
      auto sum = all_reduce(part, plan.ranks, where);
      return internal::shards_of<decltype(sum)::spec>(*x.place.topology(), std::move(sum), where);
    };
    auto const balance = added(internal::balance_loss_share(plan.routing, plan.load));
    return internal::ExpertMixture<internal::Unqualified<decltype(tokens)>,
                                   internal::Unqualified<decltype(balance)>>{
        mixed(tokens, plan, where), balance,
        added(internal::z_loss_share(plan.routing, plan.load))};
  }

  template <class Initializer>
  ShardedMixtureOfExperts init_parameters(Initializer& initializer) const {
    return {initializer(gate),
            initializer(up),
            initializer.zeros(up_bias),
            initializer.residual(down),
            initializer.zeros(down_bias),
            options};
  }

 private:
  template <class R>
  struct Plan {
    R routing;
    internal::ExpertLoad load;
    Group ranks;  ///< The ranks with other tokens.
  };

  template <class X>
  static Shard<internal::TensorOf<typename X::local_type>, X::spec> evaluated(X const& x) {
    return {x.unchecked_local, x.place};
  }

  /// The routing of the tokens of this rank, with the counts of those received from other ranks.
  template <class Tokens>
  auto planned(Tokens const& tokens, internal::mpi::SourceLocation where) const {
    auto const logits = internal::rows_of_tokens(eval(matmul(tokens, gate).unchecked_local));
    auto routing = internal::route_tokens<typename Of::dtype, internal::undivided<Experts>, k>(
        logits, options.renormalise);
    Group const& ranks =
        internal::group_of(tokens.place, internal::DividingTokens<Tokens>::text.view());
    auto load = load_over_ranks(routing, internal::at(gate.sizes(), 1), k, ranks, where);
    return Plan<decltype(routing)>{std::move(routing), std::move(load), ranks};
  }

  template <class Tokens, class R>
  Tokens mixed(Tokens const& tokens, Plan<R> const& plan,
               internal::mpi::SourceLocation where) const {
    auto const rooms =
        internal::rooms_of(plan.load, options.capacity_factor, options.capacity_per_rank);
    auto const done = internal::through_experts<internal::undivided<Experts>>(
        internal::rows_of_tokens(tokens.unchecked_local), plan.routing, rooms,
        [&](auto const& sent) {
          return far_away<Tokens>(sent, tokens.place, plan.ranks.size(), where);
        });
    return {internal::reshaped<typename Tokens::local_type>(done, tokens.unchecked_local.sizes()),
            tokens.place};
  }

  /// The outputs of the experts, on any rank, for the slots of this rank.
  template <class Tokens, TensorType Sent>
  auto far_away(Sent const& sent, internal::Placement const& place, int ranks,
                internal::mpi::SourceLocation where) const {
    using Lies = internal::SlotSharding<Tokens, Sent, decltype(up)>;
    using AtTokens = Sharded<typename Sent::value_type, Lies::at_tokens, typename Sent::device>;
    internal::Sizes sizes = sent.sizes();
    internal::at(sizes, 1) *= ranks;
    AtTokens const all{typename AtTokens::local_type(sent), place.with_sizes(sizes)};
    auto const arrived = reshard<Lies::at_experts>(all, where);
    auto const hidden = on_shards(internal::HiddenOfExperts())(arrived, up, up_bias);
    auto const product = internal::all_reduce_if_partial(
        on_shards(internal::ProductOfExperts())(hidden, down), where);
    auto const made = on_shards(internal::BiasOfExperts())(product, down_bias);
    using Back =
        internal::SlotSharding<Tokens, internal::ShardingOf<decltype(made)::spec>, decltype(up)>;
    using Made =
        Shard<internal::TensorOf<typename decltype(made)::local_type>, decltype(made)::spec>;
    return reshard<Back::at_tokens>(Made(made), where).unchecked_local;
  }
};

}  // namespace tenon
