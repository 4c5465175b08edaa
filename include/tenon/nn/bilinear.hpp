#pragma once

#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/nn/linear.hpp>

namespace tenon::internal {

/// The axes of a weight with its last two as one.
template <class Weight>
struct LastTwoMerged {
  static constexpr Shape shape = shape_of_axes(
      {Weight::shape[0], axis_of(number_extent(Weight::shape[1].size* Weight::shape[2].size))});
};
/// The axes of an operand with the last one replaced by the last two of a weight.
template <class X, class Weight>
struct LastReplaced {
  static constexpr int last = X::shape.rank - 1;
  static constexpr Shape shape =
      inserted(with_axis(X::shape, last, Weight::shape[1]), last + 1, Weight::shape[2]);
};

}  // namespace tenon::internal

namespace tenon {

/// A bilinear map of the last axes of two operands with the same other axes: y_o = Σ x_i W_ijo z_j
/// + b_o. `Bilinear<"left=4", "right=5", "out=3">` maps "batch left=4" and "batch right=5" to
/// "batch out=3". PyTorch: `nn.Bilinear` (whose weight is "out left right").
template <Spec Left, Spec Right, Spec Out, class... Kind>
struct Bilinear {
  static constexpr std::string_view name = "Bilinear";
  using Weight = internal::LayerTensor<internal::LayerKind<Kind...>, Left, Right, Out>;

  Weight weight;
  internal::LayerTensor<internal::LayerKind<Kind...>, Out> bias;

  template <internal::EndsWith<Left> X, internal::EndsWith<Right> Z>
  auto operator()(X const& x, Z const& z) const {
    using Flat = internal::TensorUnder<internal::LastTwoMerged<Weight>, Weight>;
    using Rule = internal::LastReplaced<X, Weight>;
    auto const flat = internal::reshaped<Flat>(weight, internal::static_sizes(Flat::shape));
    internal::Sizes const sizes = internal::sizes_in_parts(
        x.sizes(), Rule::last, Weight::shape[1].size, Weight::shape[2].size);
    auto const of_x =
        internal::reshaped<internal::TensorUnder<Rule, X>>(eval(matmul(x, flat)), sizes);
    return eval(sum<-2>(of_x * unsqueeze<-1>(eval(z))) + bias);
  }
  template <Expression X, Expression Z,
            internal::Mistake R = internal::LayerMistake<Bilinear, X, Left>>
  auto operator()(X const& x, Z const& z) const -> R;
  template <internal::EndsWith<Left> X, Expression Z,
            internal::Mistake R = internal::LayerMistake<Bilinear, Z, Right>>
  auto operator()(X const& x, Z const& z) const -> R;

  Bilinear init_parameters(auto& initializer) const {
    return {initializer.weight(weight, weight.sizes()[0]),
            initializer.bias(bias, weight.sizes()[0])};
  }
};

}  // namespace tenon
