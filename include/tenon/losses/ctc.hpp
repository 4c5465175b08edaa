#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tenon/eval/custom.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/losses/labels.hpp>

namespace tenon {

/// Options of `ctc_loss`.
struct CTCOptions {
  std::int64_t blank = 0;      ///< The class of no label.
  bool zero_infinity = false;  ///< Whether sequences that are too short have loss and gradient 0.
};

}  // namespace tenon

/// Connectionist temporal classification. Computed on the host in `double`, for any device.
namespace tenon::internal {

/// One sequence: `states` are its labels with blanks between and around them, `log_p` has the
/// log-probability of each at each step.
struct CtcSequence {
  std::vector<std::int64_t> states;
  std::vector<double> log_p;
  std::int64_t steps = 0;

  std::int64_t count() const { return static_cast<std::int64_t>(states.size()); }
  double at(std::int64_t step, std::int64_t state) const {
    return log_p[static_cast<std::size_t>(step * count() + state)];
  }
};

/// The logarithms of the probabilities of all paths to each state (or from it, in reverse), steps
/// in rows.
std::vector<double> ctc_paths(CtcSequence const& sequence, bool reverse);

/// -log of the probability of the labels.
double ctc_value(CtcSequence const& sequence);

/// The derivatives with respect to `log_p`, of each state at each step.
std::vector<double> ctc_derivatives(CtcSequence const& sequence);

using CTCName = Named<"ctc_loss">;

/// The positions of the axes of log-probabilities: steps, classes, and the batch.
template <Axes time, Axes classes, class X>
struct CtcAxes {
  static constexpr int step = Chosen<time, X>::value.axis();
  static constexpr int label = Chosen<classes, X>::value.axis();
  static constexpr int batch = 3 - step - label;
  static constexpr Shape shape = inserted(Shape{}, 0, X::shape[batch]);
};

/// The arguments of a loss on the host, as tensors.
template <class A, TensorType L, TensorType N>
struct CtcArguments {
  L labels;
  N steps, lengths;
  CTCOptions options;

  /// Sequence `b` of log-probabilities with these sizes.
  template <class T>
  CtcSequence sequence(T const* log_p, Sizes const& sizes, std::int64_t b) const {
    CtcSequence made;
    std::int64_t const length = lengths.data()[b], width = at(labels.sizes(), 1);
    made.steps = steps.data()[b];
    check_lengths(made.steps, at(sizes, A::step), "steps");
    check_lengths(length, width, "labels");
    made.states.assign(static_cast<std::size_t>(2 * length + 1), options.blank);
    for (std::int64_t k = 0; k < length; ++k)
      made.states[static_cast<std::size_t>(2 * k + 1)] = labels.data()[b * width + k];
    for (std::int64_t t = 0; t < made.steps; ++t)
      for (std::int64_t const c : made.states)
        made.log_p.push_back(static_cast<double>(log_p[place(sizes, t, b, c)]));
    return made;
  }

  static std::int64_t place(Sizes const& sizes, std::int64_t t, std::int64_t b, std::int64_t c) {
    if (c < 0 || c >= at(sizes, A::label))
      fail<IndexError>({CTCName::name,
                        {},
                        "labels from 0 to " + std::to_string(at(sizes, A::label) - 1),
                        std::to_string(c),
                        {}});
    Sizes const strides = row_major(sizes, 3);
    return t * at(strides, A::step) + b * at(strides, A::batch) + c * at(strides, A::label);
  }
  static void check_lengths(std::int64_t length, std::int64_t most, char const* what) {
    if (length < 0 || length > most)
      fail<ValueError>(
          {CTCName::name, what, "0 to " + std::to_string(most), std::to_string(length), {}});
  }

  bool counts(double loss) const {
    return !options.zero_infinity || loss != std::numeric_limits<double>::infinity();
  }

  template <TensorType Y, TensorType X>
  Y values(X const& log_p) const {
    using T = typename Y::value_type;
    auto const host = to<Cpu>(log_p);
    Y result = Y::uninitialised(first_sizes(at(log_p.sizes(), A::batch)));
    result.set_elements([&](T* to) {
      for (std::int64_t b = 0; b < result.size(); ++b) {
        double const loss = ctc_value(sequence(host.data(), log_p.sizes(), b));
        to[b] = static_cast<T>(counts(loss) ? loss : 0);
      }
    });
    return result;
  }

  template <TensorType X, TensorType Y>
  X gradient(X const& log_p, Y const& adjoint) const {
    auto const host = to<Cpu>(log_p);
    auto const scale = to<Cpu>(adjoint);
    X result = X::uninitialised(log_p.sizes());
    result.set_elements([&](typename X::value_type* to) {
      std::fill_n(to, log_p.size(), typename X::value_type(0));
      for (std::int64_t b = 0; b < adjoint.size(); ++b)
        add_gradient(to, sequence(host.data(), log_p.sizes(), b), log_p.sizes(), b,
                     static_cast<double>(scale.data()[b]));
    });
    return result;
  }

  template <class T>
  void add_gradient(T* to, CtcSequence const& one, Sizes const& sizes, std::int64_t b,
                    double scale) const {
    if (!counts(ctc_value(one))) return;
    auto const derivatives = ctc_derivatives(one);
    std::size_t k = 0;
    for (std::int64_t t = 0; t < one.steps; ++t) {
      for (std::int64_t const c : one.states) {
        T& sum = to[place(sizes, t, b, c)];
        sum = static_cast<T>(static_cast<double>(sum) + scale * derivatives[k++]);
      }
    }
  }
};

/// The error of labels that have not the batch of `A` and one axis more.
template <class A, class X, class L>
constexpr auto ctc_labels_mistake() {
  if constexpr (L::shape.rank == 2 && !agree(A::shape[0], L::shape[0]))
    return std::type_identity<error::axes_do_not_fit<spec_of_name<CTCName>, spec_of_axis<A, 0>,
                                                     spec_of_axis<L, 0>, spec_of<X>, spec_of<L>>>{};
  else return rank_mistake<CTCName, L, 2>();
}

/// Of one sequence: as a batch of one.
template <Axes time, Axes classes, class X, class L>
concept OneSequence = HasAxes<time, X> && HasAxes<classes, X> && Unqualified<X>::shape.rank == 2 &&
                      Unqualified<L>::shape.rank == 1;
template <Axes axis, class X>
constexpr Axes by_number() {
  return Chosen<axis, Unqualified<X>>::value.axis();
}
template <int place, class X>
using WithBatch = decltype(unsqueeze<"", place>(std::declval<X const&>()));

/// The error of steps and classes along the same axis.
template <Axes time, Axes classes, class X>
constexpr auto ctc_axes_mistake() {
  if constexpr (HasAxes<time, X> && HasAxes<classes, X>) {
    constexpr int step = Chosen<time, X>::value.axis();
    if constexpr (step == Chosen<classes, X>::value.axis())
      return std::type_identity<
          error::name_is_ambiguous<spec_of_name<CTCName>, spec_of_axis<X, step>, spec_of<X>>>{};
    else return std::type_identity<void>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// The rule of log-probabilities, labels and lengths.
template <Axes time, Axes classes>
struct CTCRule : CTCName {
  template <class X, class L, class S, class N>
  static constexpr auto mistake() {
    using of_x = decltype(first_error(EqualAlong<"ctc_loss", time>::template mistake<X>(),
                                      EqualAlong<"ctc_loss", classes>::template mistake<X>(),
                                      rank_mistake<CTCName, X, 3>()));
    using apart = decltype(ctc_axes_mistake<time, classes, X>());
    if constexpr (!std::is_void_v<typename apart::type>) {
      return apart{};
    } else if constexpr (OneSequence<time, classes, X, L>) {
      using Batch = CTCRule<by_number<time, X>(), by_number<classes, X>()>;
      return Batch::template mistake<WithBatch<-1, X>, WithBatch<0, L>, WithBatch<0, S>,
                                     WithBatch<0, N>>();
    } else if constexpr (!std::is_void_v<typename of_x::type>) {
      return of_x{};
    } else {
      using A = CtcAxes<time, classes, X>;
      return first_error(integers_mistake<CTCName, L>(), integers_mistake<CTCName, S>(),
                         integers_mistake<CTCName, N>(), ctc_labels_mistake<A, X, L>(),
                         equal_shapes_mistake<CTCName, A, X, S>(),
                         equal_shapes_mistake<CTCName, A, X, N>());
    }
  }
};

/// Compares the run-time sizes of the batch: throws `ShapeError`.
template <class A, class X, class L, class S, class N>
void check_batch(X const& x, L const& labels, S const& steps, N const& lengths) {
  Sizes const batch = first_sizes(at(x.sizes(), A::batch));
  for (Sizes const& got : {first_sizes(at(labels.sizes(), 0)), steps.sizes(), lengths.sizes()})
    check_equal_sizes(CTCName::name, spec_of<A>.view(), batch, got);
}

/// -log of the probability of labels, over all alignments with the steps of a sequence: log_p "time
/// batch class" in any order, labels "batch label", the number of steps and of labels of each
/// sequence "batch". The mean is of losses divided by the number of labels. Computed on the host.
/// Throws `IndexError`, `ShapeError`, `ValueError`. A. Graves et al., 2006. PyTorch: `ctc_loss`, of
/// `log_softmax`.
template <Axes time, Axes classes, LossReduction R = op::mean, Expression X, Expression L,
          Expression S, Expression N>
  requires(!OneSequence<time, classes, X, L>) && RuleFits<CTCRule<time, classes>, X, L, S, N>
auto ctc_loss(X const& log_p, L const& labels, S const& steps, N const& lengths,
              CTCOptions options = {}) {
  using A = CtcAxes<time, classes, X>;
  using T = typename X::value_type;
  using Y = Tensor<T, spec_of<A>, typename X::device>;
  TensorOf<X> const x = log_p;
  check_batch<A>(x, labels, steps, lengths);
  auto const on_host = [](auto const& ids) { return eval(to<Cpu>(eval(to<std::int64_t>(ids)))); };
  using Lengths = Tensor<std::int64_t, spec_of<A>, Cpu>;
  CtcArguments<A, decltype(on_host(labels)), Lengths> const arguments{
      on_host(labels), on_host(steps), on_host(lengths), options};
  auto const losses =
      custom_vjp([=](TensorOf<X> const& p) { return arguments.template values<Y>(p); },
                 [=](Y const& adjoint, Y const&, TensorOf<X> const& p) {
                   return arguments.gradient(p, adjoint);
                 })(x);
  if constexpr (!std::same_as<R, op::mean>) return reduce_loss<R>(losses);
  else return reduce_loss<R>(losses / to<T>(maximum(lengths, 1)));
}
/// Of one sequence: log_p "time class", labels "label", and two integers "".
template <Axes time, Axes classes, LossReduction R = op::mean, Expression X, Expression L,
          Expression S, Expression N>
  requires OneSequence<time, classes, X, L> && RuleFits<CTCRule<time, classes>, X, L, S, N>
auto ctc_loss(X const& log_p, L const& labels, S const& steps, N const& lengths,
              CTCOptions options = {}) {
  auto const losses = ctc_loss<by_number<time, X>(), by_number<classes, X>(), R>(
      unsqueeze<"", -1>(log_p), unsqueeze<"", 0>(labels), unsqueeze<"", 0>(steps),
      unsqueeze<"", 0>(lengths), options);
  if constexpr (std::same_as<R, op::none>) return eval(squeeze(losses));
  else return losses;
}
template <Axes time, Axes classes, LossReduction = op::mean, class X, class L, class S, class N,
          class M = RuleError<CTCRule<time, classes>, X, L, S, N>>
auto ctc_loss(X const&, L const&, S const&, N const&, CTCOptions = {}) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::ctc_loss;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

/// log(e^a + e^b).
TENON_RUNTIME double log_of_both(double a, double b) {
  double const high = (std::max)(a, b), low = (std::min)(a, b);
  return high == -std::numeric_limits<double>::infinity() ? high
                                                          : high + std::log1p(std::exp(low - high));
}

TENON_RUNTIME std::vector<double> ctc_paths(CtcSequence const& sequence, bool reverse) {
  std::int64_t const count = sequence.count(), steps = sequence.steps;
  std::vector<double> paths(sequence.log_p.size(), -std::numeric_limits<double>::infinity());
  auto const mirrored = [&](std::int64_t k, std::int64_t n) { return reverse ? n - 1 - k : k; };
  auto const path = [&](std::int64_t t, std::int64_t s) -> double& {
    return paths[static_cast<std::size_t>(mirrored(t, steps) * count + mirrored(s, count))];
  };
  auto const state = [&](std::int64_t s) {
    return sequence.states[static_cast<std::size_t>(mirrored(s, count))];
  };
  for (std::int64_t t = 0; t < steps; ++t) {
    for (std::int64_t s = 0; s < count; ++s) {
      double sum = t == 0 ? (s < 2 ? 0 : path(t, s)) : path(t - 1, s);
      if (t > 0 && s > 0) sum = log_of_both(sum, path(t - 1, s - 1));
      bool const skips = s > 1 && s % 2 == 1 && state(s) != state(s - 2);
      if (t > 0 && skips) sum = log_of_both(sum, path(t - 1, s - 2));
      path(t, s) = sum + sequence.at(mirrored(t, steps), mirrored(s, count));
    }
  }
  return paths;
}

TENON_RUNTIME double ctc_value(CtcSequence const& sequence) {
  if (sequence.steps == 0)
    return sequence.count() == 1 ? 0 : std::numeric_limits<double>::infinity();
  auto const paths = ctc_paths(sequence, false);
  double const last = paths.back();
  return sequence.count() == 1 ? -last : -log_of_both(last, paths[paths.size() - 2]);
}

TENON_RUNTIME std::vector<double> ctc_derivatives(CtcSequence const& sequence) {
  auto const to = ctc_paths(sequence, false), from = ctc_paths(sequence, true);
  double const loss = ctc_value(sequence);
  std::vector<double> result(to.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    bool const reached = sequence.log_p[k] > -std::numeric_limits<double>::infinity();
    if (reached) result[k] = -std::exp(to[k] + from[k] - sequence.log_p[k] + loss);
  }
  return result;
}

}  // namespace tenon::internal

#endif
