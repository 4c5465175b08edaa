#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/reduction/norms.hpp>
#include <tenon/nn/sizes_of.hpp>
#include <tenon/random/key.hpp>
#include <tenon/random/uniform.hpp>

namespace tenon::internal {

struct DropoutName {
  static constexpr std::string_view name = "Dropout";
  static constexpr std::string_view form = "dropout(x, Key(42))";
};

/// The fraction of elements that dropout keeps. Throws `ValueError` unless the rate is from 0 to 1.
inline float kept_fraction(float rate) {
  if (!(rate >= 0.0f && rate <= 1.0f))
    fail<ValueError>({"Dropout", "rate", "a number from 0 to 1", std::to_string(rate), {}});
  return 1.0f - rate;
}
/// The factor of the elements that are kept.
inline float kept_factor(float rate) { return rate < 1.0f ? 1.0f / (1.0f - rate) : 0.0f; }

}  // namespace tenon::internal

namespace tenon {

/// Sets elements to zero at random and scales the others so that the mean is preserved. With a key
/// as argument it is active (training), without one it is the identity: there is no training mode.
/// The result is lazy. Throws `ValueError` unless the rate is from 0 to 1. N. Srivastava et al.,
/// 2014. PyTorch: `nn.Dropout`.
struct Dropout {
  float rate = 0.1f;  ///< The fraction of elements that become zero.

  /// Without a key: `x` unchanged.
  template <Expression X>
  constexpr internal::StoredOperand<X&&> operator()(X&& x) const {
    return internal::hold(std::forward<X>(x));
  }
  template <class Name = internal::DropoutName, class R = internal::KeyForm<Name>>
  auto operator()(internal::AnyExpression, internal::NumberOrText) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&, std::same_as<Key> auto const&...) const -> X;

  template <Expression X>
    requires internal::FloatType<typename internal::Unqualified<X>::value_type>
  auto operator()(X&& x, Key const& key) const {
    using E = internal::Unqualified<X>;
    using Kept = Tensor<bool, internal::spec_of<E>, typename E::device>;
    float const share = internal::kept_fraction(rate);
    auto const kept = internal::with_sizes_of(
        x, [&](auto... sizes) { return bernoulli<Kept>(key, share, sizes...); });
    return where(kept, std::forward<X>(x) * internal::kept_factor(rate), 0.0f);
  }
};

/// Dropout of whole features: all elements along some axes, those of an image for example, become
/// zero together. `FeatureDropout<"height width">{0.1f}` drops the channels of "batch channel
/// height width". With a key as argument it is active, as `Dropout`. J. Tompson et al., 2014.
/// PyTorch: `nn.Dropout1d` to `nn.Dropout3d`.
template <internal::Axes along>
struct FeatureDropout {
  static constexpr std::string_view name = "FeatureDropout";

  float rate = 0.5f;  ///< The fraction of features that become zero.

  template <Expression X>
    requires internal::RuleFits<internal::FloatRows<FeatureDropout, along>, X>
  constexpr internal::StoredOperand<X&&> operator()(X&& x) const {
    return internal::hold(std::forward<X>(x));
  }
  template <Expression X>
    requires internal::RuleFits<internal::FloatRows<FeatureDropout, along>, X>
  auto operator()(X const& x, Key const& key) const {
    return x * eval(Dropout{rate}(ones_like(sum<along>(x, keep)), key));
  }
  template <class X, class R = internal::RuleError<internal::FloatRows<FeatureDropout, along>, X>>
  auto operator()(X&& x, std::same_as<Key> auto const&...) const -> R;
};
/// `FeatureDropout` of "time". PyTorch: `nn.Dropout1d`.
using Dropout1d = FeatureDropout<"time">;
/// `FeatureDropout` of "height width". PyTorch: `nn.Dropout2d`.
using Dropout2d = FeatureDropout<"height width">;
/// `FeatureDropout` of "depth height width". PyTorch: `nn.Dropout3d`.
using Dropout3d = FeatureDropout<"depth height width">;

}  // namespace tenon
