#pragma once

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/reduction/mean.hpp>
#include <tenon/nn/axes.hpp>

namespace tenon::internal {

/// Ones for static sizes; a tensor with run-time axes is empty until it is set.
template <TensorType R>
constexpr R ones_if_static() {
  if constexpr (R::shape.is_static()) return ones<R>();
  else return R();
}

}  // namespace tenon::internal

namespace tenon {

/// Normalises every row along the last axis to mean 0 and variance 1, then applies a learned scale
/// and shift: "… embed=64" to the same, one kernel. J. L. Ba et al., "Layer normalization", 2016.
/// PyTorch: `nn.LayerNorm`.
template <Spec Embed, class... Kind>
struct LayerNorm {
  static constexpr std::string_view name = "LayerNorm";
  using Row = internal::LayerTensor<internal::LayerKind<Kind...>, Embed>;
  using T = typename Row::value_type;

  Row weight = internal::ones_if_static<Row>();
  Row bias;
  T epsilon = T(1e-5);  ///< Added to the variance.

  template <Expression X>
    requires internal::EndsWith<X, Embed>
  constexpr internal::TensorOf<X> operator()(X const& x) const {
    auto const centred = x - mean<-1>(x, keep);
    return centred * rsqrt(mean<-1>(square(centred), keep) + epsilon) * weight + bias;
  }
  template <class X, internal::Mistake R = internal::LayerMistake<LayerNorm, X, Embed>>
  auto operator()(X const& x) const -> R;

  LayerNorm init_parameters(auto& initializer) const {
    return {initializer.ones(weight), initializer.zeros(bias), epsilon};
  }
};

}  // namespace tenon
