#pragma once

#include <complex>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/nn/axes.hpp>
#include <tenon/op/complex.hpp>
#include <tenon/tensor/complex.hpp>

/// Layers of complex numbers. C. Trabelsi et al., "Deep complex networks", 2018.
namespace tenon::internal {

/// A complex tensor of a layer, whose dtype is that of the parts.
template <class Kind, Spec... S>
using ComplexLayerTensor =
    Tensor<std::complex<typename Kind::dtype>, spec_of<AxesInOrder<S...>>, typename Kind::device>;

/// The shape of `mod_relu`, or the mistake in its operands.
template <class X, class B>
using ModReluOf = MapOf<op::Add, MapOf<op::Abs, X const&>, B const&>;

/// relu(|z| + bias) z / |z|: the absolute value of complex numbers is shifted and cut off at 0,
/// their angle is kept. A lazy expression of the shape of x and bias, which broadcast; the bias is
/// a real tensor of the dtype of the parts, or a number. The value and the gradient at z = 0 are 0.
/// M. Arjovsky et al., "Unitary evolution recurrent neural networks", 2016.
template <ComplexExpression X, class B, WellFormed R = ModReluOf<X, B>>
constexpr auto mod_relu(X const& x, B const& bias) {
  auto const size = abs(x);
  auto const is_zero = size == 0;
  auto const direction = x / to<typename X::value_type>(where(is_zero, 1, size));
  return direction * to<typename X::value_type>(where(is_zero, 0, relu(size + bias)));
}
template <ComplexExpression X, class B, IllFormed R = ModReluOf<X, B>>
auto mod_relu(X const& x, B const& bias) -> R;
template <Expression X, class B>
  requires(!ComplexExpression<X>)
auto mod_relu(X const& x, B const& bias) ->
    typename decltype(dtype_mistake<Named<"mod_relu">, X>())::type;
template <class... X, class R = Refused<Named<"mod_relu">, X...>>
auto mod_relu(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::mod_relu;

/// An affine map of the last axis with complex weights: `ComplexLinear<"embed=64", "hidden=256">`,
/// with parts in `float`, or `ComplexLinear<"embed=64", "hidden=256", double>`. The operand is a
/// complex tensor, or its real and imaginary parts as two tensors: `linear(x)`, `linear(re, im)`.
/// The result is lazy. PyTorch: `nn.Linear` with `dtype=torch.complex64`.
template <Spec In, Spec Out, class... Kind>
struct ComplexLinear {
  using Weight = internal::ComplexLayerTensor<internal::LayerKind<Kind...>, In, Out>;

  Weight weight;
  internal::ComplexLayerTensor<internal::LayerKind<Kind...>, Out> bias;

  template <Expression X, WellFormed Product = internal::Matmul<X&&, Weight const&>>
  constexpr auto operator()(X&& x) const {
    return matmul(std::forward<X>(x), weight) + bias;
  }
  template <Expression X, IllFormed R = internal::Matmul<X&&, Weight const&>>
  auto operator()(X&& x) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&) const -> X;

  template <Expression Re, Expression Im, WellFormed X = internal::MapOf<op::MakeComplex, Re, Im>>
  constexpr auto operator()(Re&& re, Im&& im) const {
    return (*this)(complex(std::forward<Re>(re), std::forward<Im>(im)));
  }
  template <Expression Re, Expression Im, IllFormed R = internal::MapOf<op::MakeComplex, Re, Im>>
  auto operator()(Re&& re, Im&& im) const -> R;

  ComplexLinear init_parameters(auto& initializer) const {
    return {initializer(weight), initializer.bias(bias, weight.sizes()[0])};
  }
};

/// `mod_relu` as a layer with a learned bias for each entry of the last axis, initially 0:
/// `ModReLU<"hidden=256">`, or `ModReLU<"hidden=256", double>`.
template <Spec Features, class... Kind>
struct ModReLU {
  internal::LayerTensor<internal::LayerKind<Kind...>, Features> bias;

  template <class X>
  constexpr auto operator()(X const& x) const -> decltype(mod_relu(x, bias)) {
    return mod_relu(x, bias);
  }

  ModReLU init_parameters(auto& initializer) const { return {initializer.zeros(bias)}; }
};

}  // namespace tenon
