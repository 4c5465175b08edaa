#pragma once

#include <limits>
#include <string>

#include <tenon/expr/reduction/norms.hpp>
#include <tenon/losses/labels.hpp>

namespace tenon {

/// Options of `pairwise_distance`.
struct PairwiseDistanceOptions {
  double p = 2;       ///< The exponent of the norm, above 0; infinity: the largest difference.
  double eps = 1e-6;  ///< Added to each difference.
};

/// Options of `pdist`.
struct PdistOptions {
  double p = 2;  ///< The exponent of the norm, above 0; infinity: the largest difference.
};

/// Options of `cosine_similarity`.
struct CosineSimilarityOptions {
  double eps = 1e-8;  ///< The least norm by which a vector is divided.
};

/// Options of `cosine_embedding_loss`.
struct CosineEmbeddingOptions {
  double margin = 0;  ///< The largest similarity of unlike vectors without a loss.
};

/// Options of `triplet_margin_loss`.
struct TripletMarginOptions {
  double margin = 1;  ///< By how much the distance of the negative exceeds that of the positive.
  double p = 2;       ///< The exponent of the norm, above 0; infinity: the largest difference.
  double eps = 1e-6;  ///< Added to each difference.
  bool swap = false;  ///< Whether the positive replaces the anchor where it is nearer the negative.
};

}  // namespace tenon

/// Distances and similarities of vectors, and their losses. Arguments have equal shapes: nothing is
/// broadcast. The result of a loss is the mean over all pairs; `op::sum` is the sum, `op::none`
/// keeps all.
namespace tenon::internal {

/// (Σ |d|^p)^(1/p) along an axis. The derivative where all are zero is 0.
template <Axes axis, class Name, Expression D>
auto p_norm(D const& d, double p) {
  if (p == 2) return eval(norm<axis>(d));
  auto const size = abs(d);
  if (p == std::numeric_limits<double>::infinity()) return eval(max<axis>(size));
  if (!(p > 0)) fail<ValueError>({Name::name, "p", "a number above 0", std::to_string(p), {}});
  auto const total = sum<axis>(where(size == 0, 0, pow(where(size == 0, 1, size), p)));
  return eval(where(total == 0, 0, pow(where(total == 0, 1, total), 1 / p)));
}

/// The p-norm of x - y + eps along an axis. PyTorch: `pairwise_distance`.
template <Axes axis, Expression X, Expression Y>
  requires RuleFits<EqualAlong<"pairwise_distance", axis>, X, Y>
auto pairwise_distance(X const& x, Y const& y, PairwiseDistanceOptions options = {}) {
  check_equal<Named<"pairwise_distance">>(x, y);
  return p_norm<axis, Named<"pairwise_distance">>(x - y + options.eps, options.p);
}
template <Axes axis, class X, class Y,
          class M = RuleError<EqualAlong<"pairwise_distance", axis>, X, Y>>
auto pairwise_distance(X const&, Y const&, PairwiseDistanceOptions = {}) -> M;

/// The Euclidean norm, at least `eps`; its gradient ignores that.
template <Axes axis, Expression X>
auto norm_of_at_least(X const& x, double eps) {
  auto const length = norm<axis>(x, keep);
  return length + stop_gradient(maximum(length, eps) - length);
}

/// Σ x y / (|x| |y|) along an axis, where norms are at least eps. PyTorch: `cosine_similarity`.
template <Axes axis, Expression X, Expression Y>
  requires RuleFits<EqualAlong<"cosine_similarity", axis>, X, Y>
auto cosine_similarity(X const& x, Y const& y, CosineSimilarityOptions options = {}) {
  check_equal<Named<"cosine_similarity">>(x, y);
  auto const a = x / norm_of_at_least<axis>(x, options.eps);
  auto const b = y / norm_of_at_least<axis>(y, options.eps);
  return eval(sum<axis>(a * b));
}
template <Axes axis, class X, class Y,
          class M = RuleError<EqualAlong<"cosine_similarity", axis>, X, Y>>
auto cosine_similarity(X const&, Y const&, CosineSimilarityOptions = {}) -> M;

/// The axis of the pairs i < j of n points.
template <class X, int points>
struct PairAxis {
  static constexpr std::int64_t n = X::shape[points].size;
  static constexpr Shape shape =
      inserted(Shape{}, 0, axis_of_size(n == dynamic ? dynamic : n * (n - 1) / 2));
};

/// For each pair i < j in row-major order, i or j.
template <class Ids>
Ids pair_ids(std::int64_t n, bool second) {
  Ids result = Ids::uninitialised(first_sizes(n * (n - 1) / 2));
  result.set_elements([&](std::int32_t* to) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i + 1; j < n; ++j) *to++ = static_cast<std::int32_t>(second ? j : i);
  });
  return result;
}

/// The rule of points: a matrix with an axis `points`.
template <Axes points>
struct PdistRule : Named<"pdist"> {
  template <class X>
  static constexpr auto mistake() {
    return first_error(rank_mistake<PdistRule, X, 2>(),
                       EqualAlong<"pdist", points>::template mistake<X>());
  }
};

/// The p-norms of the differences of all pairs of points, i < j in row-major order: of points
/// "n d" along `points`, n (n - 1) / 2 numbers. PyTorch, SciPy: `pdist`.
template <Axes points, Expression X>
  requires RuleFits<PdistRule<points>, X>
auto pdist(X const& x, PdistOptions options = {}) {
  constexpr int axis = Chosen<points, X>::value.axis();
  using Ids = Tensor<std::int32_t, spec_of<PairAxis<X, axis>>, typename X::device>;
  TensorOf<X> const all = x;
  std::int64_t const n = at(all.sizes(), axis);
  auto const first = take<Axes(axis)>(all, pair_ids<Ids>(n, false));
  auto const second = take<Axes(axis)>(all, pair_ids<Ids>(n, true));
  return p_norm<Axes(1 - axis), Named<"pdist">>(first - second, options.p);
}
template <Axes points, class X, class M = RuleError<PdistRule<points>, X>>
auto pdist(X const&, PdistOptions = {}) -> M;

/// The rule of two sets of vectors along `axis`, and labels without that axis.
template <Axes axis>
struct CosineEmbeddingRule : Named<"cosine_embedding_loss"> {
  template <class X, class Y, class L>
  static constexpr auto mistake() {
    using vectors = decltype(EqualAlong<"cosine_embedding_loss", axis>::template mistake<X, Y>());
    if constexpr (!std::is_void_v<typename vectors::type>) return vectors{};
    else return loss_mistake<CosineEmbeddingRule, LabelAxes<axis, X>, X, L>();
  }
};

/// 1 - c for labels 1, max(0, c - margin) for labels -1, of the cosine similarity c of x and y
/// along an axis: vectors "batch d", labels "batch" of their dtype. PyTorch:
/// `cosine_embedding_loss`.
template <Axes axis, LossReduction R = op::mean, Expression X, Expression Y, Expression L>
  requires RuleFits<CosineEmbeddingRule<axis>, X, Y, L>
auto cosine_embedding_loss(X const& x, Y const& y, L const& labels,
                           CosineEmbeddingOptions options = {}) {
  using Name = CosineEmbeddingRule<axis>;
  check_equal<Name>(x, y);
  check_labels<Name, axis>(x, labels);
  constexpr float least = 1e-12f;  // float32 in PyTorch, too
  auto const squares = (sum<axis>(square(x)) + least) * (sum<axis>(square(y)) + least);
  auto const cosine = sum<axis>(x * y) / sqrt(squares);
  return reduce_loss<R>(where(labels == 1, 1 - cosine, 0) +
                        where(labels == -1, relu(cosine - options.margin), 0));
}
template <Axes axis, LossReduction = op::mean, class X, class Y, class L,
          class M = RuleError<CosineEmbeddingRule<axis>, X, Y, L>>
auto cosine_embedding_loss(X const&, Y const&, L const&, CosineEmbeddingOptions = {}) -> M;

/// max(0, margin + |anchor - positive| - |anchor - negative|) of p-norms along an axis. V. Balntas
/// et al., 2016. PyTorch: `triplet_margin_loss`.
template <Axes axis, LossReduction R = op::mean, Expression A, Expression P, Expression N>
  requires RuleFits<EqualAlong<"triplet_margin_loss", axis>, A, P, N>
auto triplet_margin_loss(A const& anchor, P const& positive, N const& negative,
                         TripletMarginOptions options = {}) {
  using Name = Named<"triplet_margin_loss">;
  check_equal<Name>(anchor, positive, negative);
  auto const distance = [&](auto const& x, auto const& y) {
    return p_norm<axis, Name>(x - y + options.eps, options.p);
  };
  auto const near = distance(anchor, positive);
  auto far = distance(anchor, negative);
  if (options.swap) far = minimum(far, distance(positive, negative));
  return reduce_loss<R>(relu(options.margin + near - far));
}
template <Axes axis, LossReduction = op::mean, class A, class P, class N,
          class M = RuleError<EqualAlong<"triplet_margin_loss", axis>, A, P, N>>
auto triplet_margin_loss(A const&, P const&, N const&, TripletMarginOptions = {}) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::cosine_embedding_loss;
using internal::cosine_similarity;
using internal::pairwise_distance;
using internal::pdist;
using internal::triplet_margin_loss;

}  // namespace tenon
