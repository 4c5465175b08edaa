#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <tenon/eval/along_axis/sort.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/gather/sort.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/expr/view/rearrange.hpp>
#include <tenon/nn/axes.hpp>
#include <tenon/nn/expert_slots.hpp>

/// The routing of tokens to experts. N. Shazeer et al., "Outrageously large neural networks", 2017.
namespace tenon {

/// Options of the routing of tokens.
struct RouterOptions {
  /// The capacity of an expert is `capacity_factor` times its share under uniform routing; choices
  /// beyond it, in the order of tokens, then of choices, are dropped: they contribute nothing.
  float capacity_factor = std::numeric_limits<float>::infinity();
  bool renormalise = true;  ///< The weights of a token's choices sum to 1.
  bool capacity_per_rank =
      false;  ///< Over ranks: the capacity applies to the tokens of each rank, as in Megatron.
};

}  // namespace tenon

namespace tenon::internal {

/// "token choice=2"
template <int k>
struct ChoicesOfTokens {
  static constexpr Shape shape = shape_of_axes({named_axis("token"), named_axis("choice", k)});
};

/// The result of a router for some tokens; computed at least in `float`.
template <class T, Spec Experts, int k, class D>
struct Routing {
  using Scores = Tensor<Computed<T>, spec_of<AxesInOrder<"token", Experts>>, D>;

  Scores logits;
  Scores probabilities;                                          ///< Their softmax.
  Tensor<std::int32_t, spec_of<ChoicesOfTokens<k>>, D> experts;  ///< In descending order of
                                                                 ///< probability.
  Tensor<Computed<T>, spec_of<ChoicesOfTokens<k>>, D> weights;
};

/// The `k` most probable experts of every token, from logits "token expert=8"; the first of equal
/// ones. Throws `IndexError` where there are fewer.
template <class T, Spec Experts, int k, TensorType Logits>
auto route_tokens(Logits const& logits, bool renormalise) {
  using R = Routing<T, Experts, k, typename Logits::device>;
  using Weights = decltype(R::weights);
  typename R::Scores const scores = to<Computed<T>>(logits);
  typename R::Scores const probabilities = softmax<-1>(scores);
  auto const best = topk<-1, k>(probabilities);
  Weights weights = rearrange<"token choice -> token choice">(best.values);
  if (renormalise) weights = eval(weights / sum<-1>(weights, keep));
  return R{scores, probabilities, rearrange<"token choice -> token choice">(best.indices), weights};
}

/// How often each of `experts` experts is chosen.
std::vector<std::int64_t> counts_of_choices(TensorType auto const& chosen, std::int64_t experts) {
  tracing::refuse_while_on("MixtureOfExperts, with losses, a capacity or ranks");
  std::vector<std::int64_t> counts(static_cast<std::size_t>(experts), 0);
  auto const ids = host_elements(chosen);
  for (std::int64_t i = 0; i < chosen.size(); ++i) ++counts[static_cast<std::size_t>(ids[i])];
  return counts;
}

/// The contribution of a source's tokens to the load balancing loss: summed over all sources it is
/// experts · Σ f p, where f is the fraction of all choices that an expert got and p its mean
/// probability: 1 where all are equal. W. Fedus et al., "Switch transformers", 2021, equation 4;
/// for more choices than one as in Megatron's `switch_load_balancing_loss_func`.
template <class R>
auto balance_loss_share(R const& routing, ExpertLoad const& load) {
  using Scores = typename R::Scores;
  using T = typename Scores::value_type;
  using Row = Tensor<T, spec_of<RowOf<Scores>>, HostOf<typename Scores::device>>;
  Row shares = Row::uninitialised(first_sizes(load.experts()));
  auto const tokens = static_cast<double>(std::max<std::int64_t>(load.tokens(), 1));
  double const scale = static_cast<double>(load.experts()) / load.choices / tokens / tokens;
  for (std::int64_t i = 0; i < load.experts(); ++i)
    shares.own_memory()[i] = static_cast<T>(scale * static_cast<double>(load.of_all(i)));
  return eval(sum(to<typename Scores::device>(shares) * sum<0>(routing.probabilities)));
}

/// The contribution of a source's tokens to the z-loss: summed over all sources it is the mean of
/// logsumexp(logits)². B. Zoph et al., "ST-MoE", 2022, equation 5.
template <class R>
auto z_loss_share(R const& routing, ExpertLoad const& load) {
  using T = typename R::Scores::value_type;
  auto const tokens = static_cast<T>(std::max<std::int64_t>(load.tokens(), 1));
  return eval(sum(square(logsumexp<-1>(routing.logits))) / tokens);
}

}  // namespace tenon::internal
