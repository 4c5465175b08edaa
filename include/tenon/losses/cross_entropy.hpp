#pragma once

#include <cstdint>
#include <source_location>

#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/losses/labels.hpp>

namespace tenon {

/// Options of `nll_loss`.
struct NLLOptions {
  std::int64_t ignore_index = -100;  ///< Positions with this label have no loss and no weight.
};

/// Options of `cross_entropy`.
struct CrossEntropyOptions {
  std::int64_t ignore_index = -100;  ///< Positions with this label have no loss and no weight.
  double label_smoothing = 0;        ///< The part of the target that is spread over all classes.
};

}  // namespace tenon

/// Losses of classes. The result is the mean over all positions, a scalar tensor; `op::sum` is the
/// sum, `op::none` keeps the loss of each position.
namespace tenon::internal {

struct CrossEntropyName {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr std::string_view form = "cross_entropy<\"digit\">(x, ids)";
};
/// The function over operands that are dispatched.
template <Axes classes>
struct CrossEntropyCall : CrossEntropyName {};
using NLLName = Named<"nll_loss">;

/// The loss of each label, reduced; the mean is weighted.
template <LossReduction R, Expression X, Expression W>
auto reduce_by_weight(X const& loss, W const& weight) {
  if constexpr (std::same_as<R, op::mean>) return eval(sum(loss) / sum(weight));
  else return reduce_loss<R>(loss);
}

/// -w log p at the labels; with smoothing s, (1 - s) of that and s/C of the sum over C classes.
template <class Name, Axes classes, LossReduction R, TensorType X, TensorType L, class... W>
auto label_loss(X const& log_p, L const& labels, CrossEntropyOptions options, W const&... weight) {
  check_labels<Name, classes>(log_p, labels);
  auto const kept = to<std::int64_t>(labels) != options.ignore_index;
  L const ids = where(kept, labels, 0);
  auto const share = weights_at<typename X::value_type>(kept, ids, weight...);
  auto const picked = Picked<classes, X const&, L const&>(log_p, ids, Name::name, "label");
  auto const at_label = where(kept, -share * picked, 0);
  if constexpr (std::same_as<Name, CrossEntropyName>) {
    if (options.label_smoothing != 0) {
      double const rate = options.label_smoothing;
      auto const all = -sum<classes>(log_p * weights_along<classes, X>(weight...));
      auto const spread = where(kept, all, 0) * (rate / static_cast<double>(size<classes>(log_p)));
      return reduce_by_weight<R>((1 - rate) * at_label + spread, share);
    }
  }
  return reduce_by_weight<R>(at_label, share);
}

/// -w log p at the label along the axis `classes`: log-probabilities "batch digit=10", integers
/// "batch", and optional weights w "digit=10" of the classes. The mean is divided by the sum of the
/// weights. Throws `IndexError` for a label out of range. PyTorch: `nll_loss`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires RuleFits<ClassLabels<NLLName, classes>, X, L>
auto nll_loss(X const& log_p, L const& labels, NLLOptions options = {}) {
  return label_loss<NLLName, classes, R>(TensorOf<X>(log_p), TensorOf<L>(labels),
                                         {.ignore_index = options.ignore_index});
}
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L, Expression W>
  requires RuleFits<ClassLabels<NLLName, classes>, X, L, W>
auto nll_loss(X const& log_p, L const& labels, W const& weight, NLLOptions options = {}) {
  return label_loss<NLLName, classes, R>(TensorOf<X>(log_p), TensorOf<L>(labels),
                                         {.ignore_index = options.ignore_index}, weight);
}
template <Axes classes, LossReduction = op::mean, class X, class L,
          class M = RuleError<ClassLabels<NLLName, classes>, X, L>>
auto nll_loss(X const&, L const&, NLLOptions = {}) -> M;
template <Axes classes, LossReduction = op::mean, class X, class L, class W,
          class M = RuleError<ClassLabels<NLLName, classes>, X, L, W>>
auto nll_loss(X const&, L const&, W const&, NLLOptions = {}) -> M;

/// Whether targets are probabilities: they have the axes and the dtype of the logits.
template <class X, class L>
concept Probabilities = FloatType<typename X::value_type> &&
                        std::same_as<typename X::value_type, typename L::value_type> &&
                        DevicesMeet<X, L> && assignable(X::shape, L::shape);

template <Axes classes>
struct CrossEntropyRule : CrossEntropyName {
  template <class X, class L, class... W>
  static constexpr auto mistake() {
    if constexpr (Probabilities<X, L> && HasAxes<classes, X>)
      return loss_mistake<CrossEntropyName, ClassAxis<classes, X>, X, W...>();
    else return labels_mistake<CrossEntropyName, classes, X, L, W...>();
  }
};
template <Axes classes, class... X>
  requires(!(is_dispatched<X> || ...))
using CrossEntropyError = RuleError<CrossEntropyRule<classes>, X...>;

/// -Σ t w log softmax(logits) along `classes`, of probabilities t, smoothed.
template <Axes classes, LossReduction R, TensorType X, Expression T, class... W>
auto probability_loss(X const& logits, T const& target, double smoothing, W const&... weight) {
  check_equal<CrossEntropyName>(logits, target);
  double const spread = smoothing / static_cast<double>(size<classes>(logits));
  auto const log_p = log_softmax<classes>(logits) * weights_along<classes, X>(weight...);
  return reduce_loss<R>(-sum<classes>((target * (1 - smoothing) + spread) * log_p));
}

template <Axes classes, LossReduction R, TensorType X, Expression L, class... W>
auto cross_entropy_of(X const& x, L const& labels, CrossEntropyOptions options,
                      W const&... weight) {
  if constexpr (Probabilities<X, L>)
    return probability_loss<classes, R>(x, labels, options.label_smoothing, weight...);
  else
    return label_loss<CrossEntropyName, classes, R>(TensorOf<X>(log_softmax<classes>(x)),
                                                    TensorOf<L>(labels), options, weight...);
}

/// Cross-entropy, -log(softmax(logits)) at the label along the axis `classes`: logits "batch
/// digit=10" and integers "batch", or probabilities "batch digit=10"; "batch" is any axes, or none.
/// Stable for large logits, and for logits with a large common offset. Throws `IndexError` for a
/// label out of range; with options, labels `.ignore_index` are left out. PyTorch: `cross_entropy`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires RuleFits<CrossEntropyRule<classes>, X, L>
auto cross_entropy(X const& logits, L const& labels) {
  TensorOf<X> const x = logits;
  if constexpr (Probabilities<X, L>) return probability_loss<classes, R>(x, labels, 0);
  else {
    TensorOf<L> const y = labels;
    check_labels<CrossEntropyName, classes>(x, y);
    auto above = log(sum<classes>(exp(x - shift_of<classes>(x, keep))));
    Picked<classes, X const&, L const&> picked(x, y, CrossEntropyName::name, "label");
    return reduce_loss<R>(std::move(above) - (std::move(picked) - shift_of<classes>(x)));
  }
}
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires RuleFits<CrossEntropyRule<classes>, X, L>
auto cross_entropy(X const& logits, L const& labels, CrossEntropyOptions options) {
  return cross_entropy_of<classes, R>(TensorOf<X>(logits), labels, options);
}
/// With weights "digit=10" of the classes; the mean over labels is divided by the sum of theirs.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L, Expression W>
  requires RuleFits<CrossEntropyRule<classes>, X, L, W>
auto cross_entropy(X const& logits, L const& labels, W const& weight,
                   CrossEntropyOptions options = {}) {
  return cross_entropy_of<classes, R>(TensorOf<X>(logits), labels, options, weight);
}
template <Axes classes, LossReduction = op::mean, class X, class L,
          class M = CrossEntropyError<classes, X, L>>
auto cross_entropy(X const& logits, L const& labels, CrossEntropyOptions options = {}) -> M;
template <Axes classes, LossReduction = op::mean, class X, class L, class W,
          class M = CrossEntropyError<classes, X, L, W>>
auto cross_entropy(X const&, L const&, W const&, CrossEntropyOptions = {}) -> M;
/// Of sharded logits and labels: the mean, of the global tensors; no rank stores a complete row if
/// the classes are sharded. Throws `CommunicationError`, at `where`. Megatron:
/// `vocab_parallel_cross_entropy`.
template <Axes classes, class X, class L>
  requires Dispatches<CrossEntropyCall<classes>, X const&, L const&>
auto cross_entropy(X const& logits, L const& labels,
                   std::source_location where = std::source_location::current()) {
  return Dispatch<CrossEntropyCall<classes>, X const&, L const&>::of(logits, labels, where);
}
template <Axes classes, class X, class L, class R = Refused<CrossEntropyCall<classes>, X, L>>
  requires(is_dispatched<X> || is_dispatched<L>)
auto cross_entropy(X const& logits, L const& labels) -> R;
template <class Name = CrossEntropyName, class R = AxisForm<Name>>
auto cross_entropy(AnyExpression, AnyExpression) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::cross_entropy;
using internal::nll_loss;

}  // namespace tenon
