#pragma once

#include <string>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/reduction/scan.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/split.hpp>
#include <tenon/nn/activations.hpp>
#include <tenon/nn/sizes_of.hpp>
#include <tenon/random/uniform.hpp>

namespace tenon {

/// Options of `gumbel_softmax`.
struct GumbelSoftmaxOptions {
  double tau = 1;     ///< The temperature, above 0.
  bool hard = false;  ///< Whether the result is one-hot, with the gradient of the soft one.
};

/// Options of `rrelu`: the range of the random factors of negative elements.
struct RReluOptions {
  double lower = 1.0 / 8;  ///< The smallest factor.
  double upper = 1.0 / 3;  ///< The largest factor.
};

}  // namespace tenon

/// Activations along an axis, and at random.
namespace tenon::internal {

/// An operand of a floating dtype with two halves.
template <Spec text, Axes axis>
struct HalvesRule : Named<text> {
  template <class X>
  static constexpr auto mistake() {
    if constexpr (!FloatExpression<X>) return dtype_mistake<Named<text>, X>();
    else if constexpr (Splits<axis, EqualParts<2>, X&&>) return std::type_identity<void>{};
    else return std::type_identity<SplitMistake<axis, EqualParts<2>, X&&>>{};
  }
};

/// a sigmoid(b) of the halves a and b along an axis: "t embed=8" gives "t embed=4". Y. Dauphin et
/// al., 2016. Throws `ShapeError` for an odd run-time size. PyTorch: `glu`.
template <Axes axis, class X>
  requires RuleFits<HalvesRule<"glu", axis>, X>
constexpr auto glu(X&& x) {
  auto const [a, b] = split<axis, 2>(std::forward<X>(x));
  return a * sigmoid(b);
}
template <Axes axis, class X, class M = RuleError<HalvesRule<"glu", axis>, X>>
auto glu(X&&) -> M;

/// silu(a) b of the halves a and b along an axis: "t embed=8" gives "t embed=4". N. Shazeer, 2020.
/// Throws `ShapeError` for an odd run-time size. PyTorch: `silu(a) * b`, as in LLaMA.
template <Axes axis, class X>
  requires RuleFits<HalvesRule<"swiglu", axis>, X>
constexpr auto swiglu(X&& x) {
  auto const [a, b] = split<axis, 2>(std::forward<X>(x));
  return silu(a) * b;
}
template <Axes axis, class X, class M = RuleError<HalvesRule<"swiglu", axis>, X>>
auto swiglu(X&&) -> M;

/// The softmax of -x along `axes`. PyTorch: `softmin`.
template <Axes axes, class X>
  requires RuleFits<FloatRows<Named<"softmin">, axes>, X>
constexpr auto softmin(X&& x) {
  return softmax<axes>(-std::forward<X>(x));
}
template <Axes axes, class X, class M = RuleError<FloatRows<Named<"softmin">, axes>, X>>
auto softmin(X&&) -> M;

/// Uniform numbers in [0, 1), of the type of `x`.
template <Expression X>
auto uniform_like(Key const& key, X const& x) {
  return with_sizes_of(x, [&](auto... sizes) { return uniform<TensorOf<X>>(key, sizes...); });
}

/// Ones at the largest of each row, zeros elsewhere.
template <Axes axis, TensorType X>
auto one_hot_of_largest(X const& x) {
  constexpr int along = Chosen<axis, X>::value.axis();
  return with_sizes_of(x, [&](auto... sizes) {
    using Ids = Tensor<std::int32_t, spec_of<X>, typename X::device>;
    auto const places = eval(cumsum<Axes(along)>(ones<Ids>(sizes...)) - 1);
    return to<typename X::value_type>(places == unsqueeze<"", along>(argmax<axis>(x)));
  });
}

/// A random point near the corners of the simplex, softmax((x + g)/tau) along an axis with Gumbel
/// noise g; with `.hard` the corner itself, with the gradient of that point. E. Jang et al., 2016.
/// Throws `ValueError` unless tau is above 0. PyTorch: `gumbel_softmax`.
template <Axes axis, class X>
  requires RuleFits<FloatRows<Named<"gumbel_softmax">, axis>, X>
auto gumbel_softmax(Key const& key, X const& logits, GumbelSoftmaxOptions options = {}) {
  if (!(options.tau > 0))
    fail<ValueError>(
        {"gumbel_softmax", "tau", "a number above 0", std::to_string(options.tau), {}});
  auto const noise = -log(-log(uniform_like(key, logits)));
  auto const soft = eval(softmax<axis>((logits + noise) / options.tau));
  if (!options.hard) return soft;
  auto const fixed = eval(stop_gradient(soft));
  return eval(one_hot_of_largest<axis>(fixed) - fixed + soft);
}
template <Axes axis, class X, class M = RuleError<FloatRows<Named<"gumbel_softmax">, axis>, X>>
auto gumbel_softmax(Key const&, X const&, GumbelSoftmaxOptions = {}) -> M;

/// x where it is positive, else r x with r uniform in [lower, upper): that of training. Otherwise
/// use `leaky_relu(x, (lower + upper) / 2)`. B. Xu et al., 2015. PyTorch: `rrelu(training=True)`.
template <FloatExpression X>
auto rrelu(Key const& key, X const& x, RReluOptions options = {}) {
  auto const r = options.lower + (options.upper - options.lower) * uniform_like(key, x);
  return map<op::LeakyRelu>(x, r);
}
template <class X, class M = RuleError<FloatRule<"rrelu">, X>>
auto rrelu(Key const&, X const&, RReluOptions = {}) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::glu;
using internal::gumbel_softmax;
using internal::rrelu;
using internal::softmin;
using internal::swiglu;

}  // namespace tenon
