#pragma once

#include <concepts>
#include <tuple>
#include <utility>

#include <tenon/eval/custom.hpp>
#include <tenon/nn/conv_layer.hpp>

/// The adjoints of a transposed convolution, as those of the convolution of which it is the
/// transpose: the operand's is that convolution of the result's adjoint, and the weight's a
/// contraction of the windows of the result's adjoint with the operand.
namespace tenon::internal {

/// The contraction of windows of `E` with a result of a layer, to the layer's kernel.
template <class Layer, class E>
struct KernelAdjointRule {
  using Rule = LayerConvolveRule<Layer, E>;
  static constexpr std::string_view name = Layer::name;
  static constexpr Contraction contraction = [] {
    Contraction result = Rule::contraction;
    std::swap(result.right, result.out);
    result.shape = Rule::convolution.kernel;
    return result;
  }();
};

/// A kernel in the order of its layer, and in that of the contraction; and a result in parts.
template <class Layer, class E>
struct KernelInOrder {
  static constexpr Shape const& shape = KernelParts<Layer>::shape;
  static constexpr AxisMap order = [] {
    AxisMap const& of = LayerConvolveRule<Layer, E>::convolution.order;
    AxisMap result = no_axes();
    for (int i = 0; i < shape.rank; ++i)
      result[static_cast<std::size_t>(of[static_cast<std::size_t>(i)])] =
          static_cast<std::int8_t>(i);
    return result;
  }();
};
template <class Layer, class E>
struct KernelOfContraction {
  static constexpr Shape const& shape = LayerConvolveRule<Layer, E>::convolution.kernel;
};
template <class Layer, class E>
struct ResultParts {
  static constexpr Shape const& shape = LayerConvolveRule<Layer, E>::contraction.shape;
};

/// A result of a layer with its groups apart.
template <class Layer, class E, TensorType Y>
auto result_in_parts(Y const& y) {
  using R = TensorUnder<ResultParts<Layer, E>, Y>;
  constexpr int channel = OperandParts<Layer, E>::channel;
  if constexpr (Layer::groups == 1) return reshaped<R>(y, y.sizes());
  else
    return reshaped<R>(
        y, sizes_in_parts(y.sizes(), channel, Layer::groups, Layer::out.size / Layer::groups));
}

/// The adjoint of the weight `W` of a layer at a padded operand.
template <class Layer, TensorType W, TensorType E, TensorType Y>
W kernel_adjoint(E const& x, Y const& dy) {
  using Rule = LayerConvolveRule<Layer, E>;
  using Order = KernelInOrder<Layer, E>;
  auto windows =
      windows_of<Rule>(operand_in_parts<Layer>(x), static_sizes_of<KernelOfContraction<Layer, E>>);
  auto const kernel = evaluate_expression(
      contract_by<KernelAdjointRule<Layer, E>>(std::move(windows), result_in_parts<Layer, E>(dy)));
  return reshaped<W>(evaluate_expression(index_map<Order>(kernel)), static_sizes_of<W>);
}

/// The sizes of an operand with the margins of a layer.
template <class Layer, TensorType Y>
Sizes sizes_with_margins(Sizes sizes) {
  for (int i = 0; i < Layer::Window::count; ++i)
    at(sizes, Layer::Window::along(Y::shape, i)) +=
        Layer::margins.before[i] + Layer::margins.behind[i];
  return sizes;
}

/// An operand of a layer with its margins.
template <class Layer, class Y>
using WithMargins = Unqualified<decltype(pad_operand<Layer>(std::declval<Y const&>()))>;

/// The adjoint of the operand `Y` of a layer, of these sizes, at the adjoint of its result: as a
/// backward pass computes it, which reads no element of the operand.
template <TensorType Y, class Layer, TensorType X, TensorType W>
Y operand_adjoint(X const& dy, W const& weight, Sizes const& sizes) {
  using E = WithMargins<Layer, Y>;
  Tape tape;
  auto operand = operand_in_parts<Layer>(E::uninitialised(sizes_with_margins<Layer, Y>(sizes)));
  operand.set_mark(tape.new_slot());
  auto const product = product_in_parts<Layer, E>(operand, weight);
  auto const parts = result_in_parts<Layer, E>(dy);
  BackendOf<typename Y::device>::backward_contract(product, stored_elements(parts), tape);
  tape.stop();
  auto const whole = reshaped<E>(gradient_of(operand, tape), sizes_with_margins<Layer, Y>(sizes));
  return reshaped<Y>(pad_margins<typename Layer::Window, -Layer::margins>(whole), sizes);
}

/// The transpose of a layer with its adjoints. (That of a constant is not read.)
template <class Layer, TensorType Y, TensorType X, TensorType W>
Y record_transpose(X const& x, W const& weight, Sizes const& sizes) {
  bool const moves_x = depends_on_recording(x), moves_weight = depends_on_recording(weight);
  auto const forward = [=](X const& of, W const& by) {
    return operand_adjoint<Y, Layer>(of, by, sizes);
  };
  auto const backward = [=](Y const& dy, Y const&, X const& of, W const& by) {
    auto const padded = pad_operand<Layer>(dy);
    return std::tuple<X, W>(
        moves_x ? reshaped<X>(evaluate_expression(convolve_windows<Layer>(padded, by)), of.sizes())
                : of,
        moves_weight ? kernel_adjoint<Layer, W>(padded, of) : by);
  };
  return custom_vjp(forward, backward)(x, weight);
}

/// Whether a convolution to `X` is transposed by its adjoint, on the host.
template <class Layer, class X, class Y>
inline constexpr bool transposes_by_adjoint =
    std::floating_point<typename X::value_type> && X::device::is_host &&
    !needs_groups_apart<Layer, WithMargins<Layer, Y>>;

}  // namespace tenon::internal
