#pragma once

#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/expr/reduction/norms.hpp>
#include <tenon/nn/batch_norm.hpp>
#include <tenon/nn/sizes_of.hpp>
#include <tenon/random/normal.hpp>

namespace tenon {

/// Divides every row along the last axis by the root of its mean square, then applies a learned
/// scale: "… embed=64" to the same, one kernel. B. Zhang and R. Sennrich, 2019. PyTorch:
/// `nn.RMSNorm`, with its epsilon of the dtype.
template <Spec Embed, class... Kind>
struct RMSNorm {
  static constexpr std::string_view name = "RMSNorm";
  using Row = internal::LayerTensor<internal::LayerKind<Kind...>, Embed>;

  Row weight = internal::ones_if_static<Row>();
  double epsilon = std::numeric_limits<internal::Computed<typename Row::value_type>>::epsilon();

  template <Expression X>
    requires internal::EndsWith<X, Embed>
  constexpr internal::TensorOf<X> operator()(X const& x) const {
    return x * rsqrt(mean<-1>(square(x), keep) + epsilon) * weight;
  }
  template <class X, internal::Mistake R = internal::LayerMistake<RMSNorm, X, Embed>>
  auto operator()(X const& x) const -> R;

  RMSNorm init_parameters(auto& initializer) const { return {initializer.ones(weight), epsilon}; }
};

/// The state of `spectral_norm`: the vectors of the largest singular value. PyTorch: the buffers
/// `_u` and `_v`.
template <class U, class V>
struct SpectralNormState {
  U u;
  V v;
};

}  // namespace tenon

namespace tenon::internal {

using NormalizeName = Named<"normalize">;
using WeightNormName = Named<"weight_norm">;
using SpectralNormName = Named<"spectral_norm">;

/// `x` divided by its Euclidean norm along some axes, or by `epsilon` where that is larger.
/// PyTorch: `nn.functional.normalize`.
template <Axes axes, class X>
  requires RuleFits<FloatRows<NormalizeName, axes>, X>
constexpr auto normalize(X const& x, double epsilon = 1e-12) {
  return x / maximum(norm<axes>(x, keep), epsilon);
}
template <Axes axes = every, class X, class R = RuleError<FloatRows<NormalizeName, axes>, X>>
auto normalize(X const& x, double epsilon = 1e-12) -> R;
template <class Name = NormalizeName, class R = AxisForm<Name>>
auto normalize(AnyExpression, NumberOrText) -> R;

/// The axes of a weight but one.
template <Axes axis>
inline constexpr Axes axes_but = all_but(axis.names.view());

/// The weight with direction `v` and the norms `g` of its parts along an axis:
/// `weight_norm<"out">(v, g)`, where "in out" has the norms "out" (of a weight `norm<"in">(w)`). T.
/// Salimans and D. P. Kingma, 2016. PyTorch: `nn.utils.parametrizations.weight_norm`.
template <Axes axis, class V, Expression G>
  requires RuleFits<FloatRows<WeightNormName, axis>, V>
constexpr auto weight_norm(V const& v, G const& g) {
  return v * (g / norm<axes_but<axis>>(v));
}
template <Axes axis, Expression V, Expression G,
          class R = RuleError<FloatRows<WeightNormName, axis>, V>>
auto weight_norm(V const& v, G const& g) -> R;
template <Axes, class... X, class R = Refused<WeightNormName, X...>>
auto weight_norm(X const&...) -> R;

/// u and v after a number of power iterations.
template <Axes axis, Expression W, class U, class V>
SpectralNormState<U, V> iterate(W const& weight, SpectralNormState<U, V> state, int iterations) {
  for (int i = 0; i < iterations; ++i) {
    state.u = normalize<every>(sum<axes_but<axis>>(weight * state.v));
    state.v = normalize<every>(sum<axis>(weight * state.u));
  }
  return state;
}

/// The vectors that `spectral_norm` begins with: random, after 15 power iterations.
template <Axes axis, TensorType W>
auto spectral_norm_state(Key const& key, W const& weight) {
  using U = TensorOf<decltype(sum<axes_but<axis>>(weight))>;
  using V = TensorOf<decltype(sum<axis>(weight))>;
  auto const [of_u, of_v] = split(key);
  auto const drawn = []<class R>(std::type_identity<R>, Key const& from, auto const& like) {
    return R(normalize<every>(
        with_sizes_of(like, [&](auto... sizes) { return normal<R>(from, sizes...); })));
  };
  SpectralNormState<U, V> const random{
      drawn(std::type_identity<U>(), of_u, sum<axes_but<axis>>(weight)),
      drawn(std::type_identity<V>(), of_v, sum<axis>(weight))};
  return iterate<axis>(weight, random, 15);
}

/// A weight divided by its largest singular value, as a matrix of one axis and all others:
/// `spectral_norm<"out">(weight, state)`, with a state of `spectral_norm_state<"out">(key,
/// weight)`. In training, `spectral_norm<"out">(weight, state, Training{})`, the result is the pair
/// of it and the state after `iterations` power iterations. No gradient reaches the state. All axes
/// are named. T. Miyato et al., 2018. PyTorch: `nn.utils.parametrizations.spectral_norm`.
template <Axes axis, class W, class U, class V>
  requires RuleFits<FloatRows<SpectralNormName, axis>, W>
auto spectral_norm(W const& weight, SpectralNormState<U, V> const& state) {
  return eval(weight /
              sum(stop_gradient(state.u) * sum<axes_but<axis>>(weight * stop_gradient(state.v))));
}
template <Axes axis, class W, class U, class V>
  requires RuleFits<FloatRows<SpectralNormName, axis>, W>
auto spectral_norm(W const& weight, SpectralNormState<U, V> const& state, Training,
                   int iterations = 1) {
  auto const next = iterate<axis>(eval(stop_gradient(weight)), state, iterations);
  return std::pair(spectral_norm<axis>(weight, next), next);
}
template <Axes axis, class W, class U, class V,
          class R = RuleError<FloatRows<SpectralNormName, axis>, W>>
auto spectral_norm(W const& weight, SpectralNormState<U, V> const&, auto const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::normalize;
using internal::spectral_norm;
using internal::spectral_norm_state;
using internal::weight_norm;

}  // namespace tenon
