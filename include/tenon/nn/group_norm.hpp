#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/reduction/norms.hpp>
#include <tenon/expr/reduction/pool.hpp>
#include <tenon/expr/view/reshape.hpp>
#include <tenon/nn/batch_norm.hpp>
#include <tenon/op/power.hpp>

namespace tenon::internal {

/// The axes with the channels as an axis of groups and one of the channels of a group.
template <class X, Spec Channel, int groups>
struct GroupedRule {
  static constexpr int channel = Chosen<channel_axis<Channel>, X>::value.axis();
  static constexpr std::int64_t size = LayerAxis<Channel>::size / groups;
  static constexpr Shape shape =
      inserted(with_axis(X::shape, channel, named_axis(LayerAxis<Channel>::axis.name.view(), size)),
               channel, axis_of(number_extent(groups)));
};

/// The axes of the channels of a group and those of `Along`.
template <Spec Channel, Spec Along>
inline constexpr Axes group_axes = [] {
  Axes result = channel_axis<Channel>;
  result.names.append(" ").append(Along.view());
  return result;
}();

/// All axes of a spec of names; none is no axis.
template <Spec Channel, Spec Along>
inline constexpr Axes along_of = Along.view().empty() ? channel_axis<Channel> : Axes(Along);

/// Mean 0 and variance 1 of each group of the channels along axis `channel`, with all axes that
/// follow.
template <int channel, TensorType X>
X standardise_groups(X const& x, std::int64_t groups, double epsilon) {
  using Rows = Tensor<typename X::value_type, "_ _", typename X::device>;
  Sizes sizes = unit_sizes();
  at(sizes, 0) = count(x.sizes(), channel) * groups;
  at(sizes, 1) = at(x.sizes(), channel) / groups;
  for (int i = channel + 1; i < X::rank; ++i) at(sizes, 1) *= at(x.sizes(), i);
  Rows const y = standardise<-1>(reshaped<Rows>(x, sizes), epsilon);
  return reshaped<X>(y, x.sizes());
}

}  // namespace tenon::internal

namespace tenon {

/// Normalises groups of channels along the channels of a group and all axes that follow them, or
/// the axes `Along`, then applies a learned scale and shift of each channel:
/// `GroupNorm<"channel=16", 4>` maps "batch channel=16 height width" to the same, and
/// `GroupNorm<"channel=16", 4, "height width">` also "batch height width channel=16". Y. Wu and K.
/// He, 2018. PyTorch: `nn.GroupNorm`.
template <Spec Channel, int groups, Spec Along = "", class... Kind>
struct GroupNorm {
  static constexpr std::string_view name = "GroupNorm";
  static constexpr internal::Axes along = internal::along_of<Channel, Along>;
  using Row = internal::LayerTensor<internal::LayerKind<Kind...>, Channel>;
  static_assert(groups > 0 && internal::LayerAxis<Channel>::size % groups == 0,
                "tenon::GroupNorm: the channels are not a multiple of the groups");

  Row weight = internal::ones_if_static<Row>();
  Row bias;
  double epsilon = 1e-5;  ///< Added to the variance.

  template <Expression X>
    requires std::is_void_v<internal::ChannelMistake<GroupNorm, X, Channel, along>>
  internal::TensorOf<X> operator()(X const& x) const {
    internal::TensorOf<X> const whole = x;
    return standardise(whole) * weight + bias;
  }
  template <class X, internal::Mistake R = internal::ChannelMistake<GroupNorm, X, Channel, along>>
  auto operator()(X const& x) const -> R;

  GroupNorm init_parameters(auto& initializer) const {
    return {initializer.ones(weight), initializer.zeros(bias), epsilon};
  }

 private:
  template <TensorType X>
  X standardise(X const& x) const {
    using Rule = internal::GroupedRule<X, Channel, groups>;
    if constexpr (Along.view().empty())
      return internal::standardise_groups<Rule::channel>(x, groups, epsilon);
    else {
      using Grouped = internal::TensorUnder<Rule, X>;
      internal::Sizes const sizes =
          internal::sizes_in_parts(x.sizes(), Rule::channel, groups, Rule::size);
      Grouped const y = internal::standardise<internal::group_axes<Channel, Along>>(
          internal::reshaped<Grouped>(x, sizes), epsilon);
      return internal::reshaped<X>(y, x.sizes());
    }
  }
};

/// Normalises along some axes, those of an image for example, without parameters:
/// `InstanceNorm<"height width">` maps "batch channel height width" to the same, in one kernel.
/// With a scale and a shift it is a `GroupNorm` of as many groups as channels. D. Ulyanov et al.,
/// 2016. PyTorch: `nn.functional.instance_norm`.
template <internal::Axes along>
struct InstanceNorm {
  static constexpr std::string_view name = "InstanceNorm";

  double epsilon = 1e-5;  ///< Added to the variance.

  template <Expression X>
    requires internal::RuleFits<internal::FloatRows<InstanceNorm, along>, X>
  internal::TensorOf<X> operator()(X const& x) const {
    return internal::standardise<along>(x, epsilon);
  }
  template <class X, class R = internal::RuleError<internal::FloatRows<InstanceNorm, along>, X>>
  auto operator()(X const& x) const -> R;
};
/// `InstanceNorm` of "time". PyTorch: `nn.InstanceNorm1d`.
using InstanceNorm1d = InstanceNorm<"time">;
/// `InstanceNorm` of "height width". PyTorch: `nn.InstanceNorm2d`.
using InstanceNorm2d = InstanceNorm<"height width">;
/// `InstanceNorm` of "depth height width". PyTorch: `nn.InstanceNorm3d`.
using InstanceNorm3d = InstanceNorm<"depth height width">;

/// Divides by a power of the mean square of `size` neighbours along an axis, where what lies
/// outside counts as 0: x / (k + alpha mean(x²))^beta. `LocalResponseNorm<"channel", 5>` maps
/// "batch channel=16 height width" to the same. A. Krizhevsky et al., 2012. PyTorch:
/// `nn.LocalResponseNorm`.
template <internal::Axes along, int size>
struct LocalResponseNorm {
  static constexpr std::string_view name = "LocalResponseNorm";

  double alpha = 1e-4;
  double beta = 0.75;
  double k = 1;

  template <Expression X>
    requires internal::RuleFits<internal::FloatRows<LocalResponseNorm, along>, X>
  internal::TensorOf<X> operator()(X const& x) const {
    auto const squares = pad<along, size / 2, (size - 1) / 2>(eval(square(x)));
    return x / pow(k + alpha * avg_pool<along, size, Sliding{.stride = 1}>(squares), beta);
  }
  template <class X,
            class R = internal::RuleError<internal::FloatRows<LocalResponseNorm, along>, X>>
  auto operator()(X const& x) const -> R;
};

}  // namespace tenon
