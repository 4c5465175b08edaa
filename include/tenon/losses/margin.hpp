#pragma once

#include <string>

#include <tenon/expr/create/create.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/losses/labels.hpp>

namespace tenon {

/// Options of `hinge_embedding_loss`.
struct HingeEmbeddingOptions {
  double margin = 1;  ///< The distance from which unlike pairs have no loss.
};

/// Options of `margin_ranking_loss`.
struct MarginRankingOptions {
  double margin = 0;  ///< By how much the first exceeds the second, or is below it.
};

/// Options of `multi_margin_loss`.
struct MultiMarginOptions {
  int p = 1;          ///< The exponent, 1 or 2.
  double margin = 1;  ///< By how much the score of the label exceeds the others.
};

}  // namespace tenon

/// Losses of margins, for scores and distances. Arguments have equal shapes: nothing is broadcast.
/// The result is the mean over all positions; `op::sum` is the sum, `op::none` keeps the loss of
/// each position. Labels 1 and -1 are numbers of the dtype of the scores.
namespace tenon::internal {

/// x for labels 1, max(0, margin - x) for labels -1, of distances x. PyTorch:
/// `hinge_embedding_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"hinge_embedding_loss">, X, Y>
auto hinge_embedding_loss(X const& x, Y const& y, HingeEmbeddingOptions options = {}) {
  check_equal<Named<"hinge_embedding_loss">>(x, y);
  return reduce_loss<R>(where(y != 1, relu(options.margin - x), 0) + where(y != -1, x, 0));
}
template <LossReduction = op::mean, class X, class Y,
          class M = LossError<Named<"hinge_embedding_loss">, X, Y>>
auto hinge_embedding_loss(X const&, Y const&, HingeEmbeddingOptions = {}) -> M;

/// max(0, margin - y (a - b)): labels y are 1 where a ranks above b, else -1. PyTorch:
/// `margin_ranking_loss`.
template <LossReduction R = op::mean, Expression A, Expression B, Expression Y>
  requires LossFits<Named<"margin_ranking_loss">, A, B, Y>
auto margin_ranking_loss(A const& a, B const& b, Y const& y, MarginRankingOptions options = {}) {
  check_equal<Named<"margin_ranking_loss">>(a, b, y);
  return reduce_loss<R>(relu(-y * (a - b) + options.margin));
}
template <LossReduction = op::mean, class A, class B, class Y,
          class M = LossError<Named<"margin_ranking_loss">, A, B, Y>>
auto margin_ranking_loss(A const&, B const&, Y const&, MarginRankingOptions = {}) -> M;

/// log(1 + e^(-y x)) of scores x and labels y, 1 or -1, without overflow. PyTorch:
/// `soft_margin_loss`.
template <LossReduction R = op::mean, Expression X, Expression Y>
  requires LossFits<Named<"soft_margin_loss">, X, Y>
auto soft_margin_loss(X const& x, Y const& y) {
  check_equal<Named<"soft_margin_loss">>(x, y);
  return reduce_loss<R>(softplus(-y * x));
}
template <LossReduction = op::mean, class X, class Y,
          class M = LossError<Named<"soft_margin_loss">, X, Y>>
auto soft_margin_loss(X const&, Y const&) -> M;

/// The mean along `classes` of the binary cross-entropy of sigmoid(x) and targets y from 0 to 1:
/// both "batch class", the losses "batch". PyTorch: `multilabel_soft_margin_loss`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression Y>
  requires RuleFits<EqualAlong<"multilabel_soft_margin_loss", classes>, X, Y>
auto multilabel_soft_margin_loss(X const& x, Y const& y) {
  check_equal<Named<"multilabel_soft_margin_loss">>(x, y);
  return reduce_loss<R>(mean<classes>(y * softplus(-x) + (1 - y) * softplus(x)));
}
template <Axes classes, LossReduction = op::mean, class X, class Y,
          class M = RuleError<EqualAlong<"multilabel_soft_margin_loss", classes>, X, Y>>
auto multilabel_soft_margin_loss(X const&, Y const&) -> M;

/// 0, 1, 2, … along the classes of `x`.
template <Axes classes, Expression X>
auto class_places(X const& x) {
  using Rule = AlongClasses<classes, X>;
  using Places = Tensor<std::int32_t, spec_of<Rule>, typename X::device>;
  if constexpr (X::shape[Rule::axis].is_static()) return iota<Places>();
  else return iota<Places>(at(x.sizes(), Rule::axis));
}

using MultiMarginName = Named<"multi_margin_loss">;

template <Axes classes, LossReduction R, TensorType X, TensorType L, class... W>
auto multi_margin(X const& x, L const& labels, MultiMarginOptions options, W const&... weight) {
  constexpr int axis = Chosen<classes, X>::value.axis();
  check_labels<MultiMarginName, classes>(x, labels);
  if (options.p != 1 && options.p != 2)
    fail<ValueError>({MultiMarginName::name, "p", "1 or 2", std::to_string(options.p), {}});
  Picked<classes, X const&, L const&> const picked(x, labels, MultiMarginName::name, "label");
  auto const others = unsqueeze<"", axis>(labels) != class_places<classes>(x);
  auto const reduced = [&](auto const& each) {
    return reduce_loss<R>((mean<classes>(where(others, each, 0)) * ... * take<0>(weight, labels)));
  };
  auto const excess = relu(options.margin - unsqueeze<"", axis>(picked) + x);
  return options.p == 1 ? reduced(excess) : reduced(square(excess));
}

/// Σ max(0, margin - x[label] + x[i])^p / C over the other classes i of C: scores "batch class",
/// integers "batch", and optional weights "class", of the labels' classes. Throws `IndexError` for
/// a label out of range, `ValueError` for another exponent. PyTorch: `multi_margin_loss`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires RuleFits<ClassLabels<MultiMarginName, classes>, X, L>
auto multi_margin_loss(X const& x, L const& labels, MultiMarginOptions options = {}) {
  return multi_margin<classes, R>(TensorOf<X>(x), TensorOf<L>(labels), options);
}
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L, Expression W>
  requires RuleFits<ClassLabels<MultiMarginName, classes>, X, L, W>
auto multi_margin_loss(X const& x, L const& labels, W const& weight,
                       MultiMarginOptions options = {}) {
  return multi_margin<classes, R>(TensorOf<X>(x), TensorOf<L>(labels), options, weight);
}
template <Axes classes, LossReduction = op::mean, class X, class L,
          class M = RuleError<ClassLabels<MultiMarginName, classes>, X, L>>
auto multi_margin_loss(X const&, L const&, MultiMarginOptions = {}) -> M;
template <Axes classes, LossReduction = op::mean, class X, class L, class W,
          class M = RuleError<ClassLabels<MultiMarginName, classes>, X, L, W>>
auto multi_margin_loss(X const&, L const&, W const&, MultiMarginOptions = {}) -> M;

/// The rule of scores and lists of labels.
template <Axes classes>
struct MultilabelRule : Named<"multilabel_margin_loss"> {
  template <class X, class L>
  static constexpr auto mistake() {
    return first_error(EqualAlong<"multilabel_margin_loss", classes>::template mistake<X>(),
                       device_mistake<MultilabelRule, X, L>(),
                       integers_mistake<MultilabelRule, L>(),
                       equal_shapes_mistake<MultilabelRule, X, X, L>());
  }
};

/// Σ max(0, 1 - x[j] + x[i]) / C over the labels j and the other classes i of C: scores and labels
/// "batch class"; the labels of a position end before its first negative number. Throws
/// `IndexError` for a label out of range. PyTorch: `multilabel_margin_loss`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires RuleFits<MultilabelRule<classes>, X, L>
auto multilabel_margin_loss(X const& scores, L const& labels) {
  constexpr int axis = Chosen<classes, X>::value.axis();
  check_equal<MultilabelRule<classes>>(scores, labels);
  TensorOf<X> const x = scores;
  auto const listed = eval(cumsum<Axes(axis)>(to<std::int32_t>(labels < 0)) == 0);
  auto const ids = eval(where(listed, to<std::int32_t>(labels), 0));
  auto const by_label = [](auto const& each) { return unsqueeze<"", axis + 1>(each); };
  auto const by_class = [](auto const& each) { return unsqueeze<"", axis>(each); };
  auto const is_label =
      any<axis>(by_label(listed) & (by_label(ids) == by_class(class_places<classes>(x))));
  auto const excess = relu(1 - by_label(take_along<Axes(axis)>(x, ids)) + by_class(x));
  auto const counts = by_label(listed) & !by_class(eval(is_label));
  return reduce_loss<R>(mean<axis>(sum<axis>(where(counts, excess, 0))));
}
template <Axes classes, LossReduction = op::mean, class X, class L,
          class M = RuleError<MultilabelRule<classes>, X, L>>
auto multilabel_margin_loss(X const&, L const&) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::hinge_embedding_loss;
using internal::margin_ranking_loss;
using internal::multi_margin_loss;
using internal::multilabel_margin_loss;
using internal::multilabel_soft_margin_loss;
using internal::soft_margin_loss;

}  // namespace tenon
