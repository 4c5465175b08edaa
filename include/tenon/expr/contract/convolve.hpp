#pragma once

#include <utility>

#include <tenon/core/rules/convolution.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/stepped.hpp>

namespace tenon::internal {

struct ConvolveName {
  static constexpr std::string_view name = "convolve";
  static constexpr std::string_view form = "convolve<\"height width\">(x, kernel)";
};

/// The labels of a convolution of the operand `E` with the kernel `K`.
template <Axes axes, Sliding sliding, class E, class K>
struct ConvolveRule {
  static_assert(sliding.stride > 0 && sliding.dilation > 0 && sliding.padding >= 0 &&
                    !sliding.ceil_mode,
                "tenon::convolve: stride and dilation begin at 1, padding at 0, no ceil_mode");
  static constexpr std::string_view name = ConvolveName::name;
  static constexpr Convolution convolution =
      convolution_rule(E::shape, Chosen<axes, E>::value, K::shape, Chosen<axes, K>::value, sliding);
  static constexpr Contraction const& contraction = convolution.product;
  static constexpr Shape const& shape = convolution.windows;
  static constexpr bool by_one = false;
  static constexpr PaddedEnds padded = [] {
    PaddedEnds result{};
    for (int i = 0; i < E::shape.rank; ++i)
      if (Chosen<axes, E>::value[i]) at(result.before, i) = at(result.behind, i) = sliding.padding;
    return result;
  }();
};

/// Zeros at both ends of every axis along which the kernel slides.
template <Axes axes, std::int64_t padding, class E>
constexpr auto padded_for(E&& x) {
  if constexpr (padding == 0) return std::forward<E>(x);
  else return pad<axes, padding, padding>(std::forward<E>(x));
}

/// The kernel, permuted for the matmul.
template <class Rule>
struct KernelRule {
  static constexpr Shape const& shape = Rule::convolution.kernel;
  static constexpr AxisMap const& order = Rule::convolution.order;
};
template <class Rule, class K>
using KernelOf = TensorOf<IndexMapType<KernelRule<Rule>, TensorOf<K>>>;

/// All windows of `E`, which is padded already.
template <class Rule, Axes axes, std::int64_t padding, class E>
using WindowsOf = SteppedBy<Rule, decltype(padded_for<axes, padding>(std::declval<E>()))>;

template <Axes axes, Sliding sliding, class E, class K>
constexpr auto convolve_type() {
  using other = typename decltype(product_mistake<ConvolveName, E, K>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!Chosen<axes, E>::ok)
    return std::type_identity<ChoiceMistake<ConvolveName, axes, E>>{};
  else if constexpr (!Chosen<axes, K>::ok)
    return std::type_identity<ChoiceMistake<ConvolveName, axes, K>>{};
  else {
    using Rule = ConvolveRule<axes, sliding, E, K>;
    if constexpr (!Rule::contraction.fits) return contraction_mistake<ConvolveName, Rule, E, K>();
    else
      return std::type_identity<
          Contract<WindowsOf<Rule, axes, sliding.padding, E>, KernelOf<Rule, K>, Rule>>{};
  }
}

template <Axes axes, Sliding sliding, Expression X, Expression K>
using Convolved = typename decltype(convolve_type<axes, sliding, TensorOf<X>, TensorOf<K>>())::type;

/// The length of a kernel of these sizes along window axis number `i`.
constexpr std::int64_t kernel_length(Convolution const& rule, int i, Sizes const& kernel) {
  int const axis = rule.windows.rank - rule.count + i;
  int const label = rule.product.left[static_cast<std::size_t>(axis)];
  return at(kernel, position_of(rule.product.right, label));
}

/// The windows of a tensor, without a copy. Throws `IndexError` where the kernel is longer than an
/// axis.
template <class Rule, class E>
constexpr auto windows_of(E x, Sizes const& kernel) {
  constexpr Convolution const& rule = Rule::convolution;
  Sizes sizes = x.sizes();
  SliceSteps steps{row_major(sizes, E::rank)};
  steps.overlaps = true;
  steps.padded = &Rule::padded;
  for (int i = 0; i < rule.count; ++i) {
    int const axis = rule.slid[static_cast<std::size_t>(i)];
    Sliding const& sliding = rule.along[static_cast<std::size_t>(i)];
    std::int64_t const length = kernel_length(rule, i, kernel), size = at(sizes, axis);
    std::int64_t const reach = Sliding{.dilation = sliding.dilation}.reach(length);
    check_range(E::shape, axis, size, length < 1 ? -1 : 0, reach, ConvolveName::name);
    at(sizes, axis) = (size - reach) / sliding.stride + 1;
    at(sizes, E::rank + i) = length;
    at(steps.along, E::rank + i) = at(steps.along, axis) * sliding.dilation;
    at(steps.along, axis) *= sliding.stride;
  }
  return SteppedBy<Rule, E>(std::move(x), sizes, steps);
}

/// The contraction of the windows of a tensor, which is padded already, with a kernel.
template <class Rule, TensorType E, TensorType K>
constexpr auto convolve_by(E x, K kernel) {
  KernelOf<Rule, K> weights = index_map<KernelRule<Rule>>(std::move(kernel));
  auto windows = windows_of<Rule>(std::move(x), weights.sizes());
  return contract_by<Rule>(std::move(windows), std::move(weights));
}

/// Convolution (cross-correlation) along named axes: "batch channel height width" and "out channel
/// height=3 width=3" give "batch out height-2 width-2" by `convolve<"height width">(x, kernel)`,
/// and "batch out height width" by `convolve<"height width", Sliding{.padding = 1}>(x, kernel)`.
/// Other axes of both are summed over; axes that only the kernel has replace them. One axis may be
/// given by its number (`convolve<-1>`). Same dtype; the kernel is not flipped. Throws `IndexError`
/// where the kernel is longer than an axis. PyTorch: `conv1d`, `conv2d`, `conv3d`. A bias and an
/// activation that follow are fused into its kernel. `Sliding{.allow_winograd = true}` permits
/// Winograd's algorithm on the CPU for kernels of 3 x 3 with stride and dilation 1 where that is
/// faster, for the adjoint of x too: errors are some ten times as large, a NaN, an infinity or an
/// element above 3e36 can make 4 x 4 results NaN, and what follows is not fused
/// (docs/numerics.md).
template <Axes axes, Sliding sliding = Sliding{}, Expression X, Expression K,
          WellFormed Result = Convolved<axes, sliding, X&&, K&&>>
constexpr auto convolve(X&& x, K&& kernel) -> Result {
  using Rule = ConvolveRule<axes, sliding, TensorOf<X&&>, TensorOf<K&&>>;
  TensorOf<K&&> weights = keep_value(std::forward<K>(kernel));
  return convolve_by<Rule>(padded_for<axes, sliding.padding>(keep_value(std::forward<X>(x))),
                           std::move(weights));
}
template <Axes axes, Sliding sliding = Sliding{}, Expression X, Expression K,
          IllFormed Result = Convolved<axes, sliding, X&&, K&&>>
auto convolve(X&& x, K&& kernel) -> Result;
template <Axes, Sliding = Sliding{}, class... X, class R = Refused<ConvolveName, X...>>
auto convolve(X const&...) -> R;
template <class Name = ConvolveName, class R = AxisForm<Name>>
auto convolve(AnyExpression, AnyExpression) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::convolve;

}  // namespace tenon
