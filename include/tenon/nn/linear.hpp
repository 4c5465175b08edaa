#pragma once

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/nn/axes.hpp>

namespace tenon {

/// An affine map of the last axis: `Linear<"embed=64", "hidden=256">` maps "… embed=64" to "…
/// hidden=256". The result is lazy: `relu(linear(x))` is one kernel. PyTorch: `nn.Linear` (whose
/// weight is "out in").
template <Spec In, Spec Out, class... Kind>
struct Linear {
  using Weight = internal::LayerTensor<internal::LayerKind<Kind...>, In, Out>;

  Weight weight;
  internal::LayerTensor<internal::LayerKind<Kind...>, Out> bias;

  template <Expression X, WellFormed Product = internal::Matmul<X&&, Weight const&>>
  constexpr auto operator()(X&& x) const {
    return matmul(std::forward<X>(x), weight) + bias;
  }
  template <Expression X, IllFormed R = internal::Matmul<X&&, Weight const&>>
  auto operator()(X&& x) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&) const -> X;

  Linear init_parameters(auto& initializer) const {
    return {initializer(weight), initializer.bias(bias, weight.sizes()[0])};
  }
};

}  // namespace tenon
