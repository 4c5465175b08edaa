#pragma once

#include <tenon/expr/map/functions.hpp>
#include <tenon/nn/linear.hpp>

namespace tenon {

/// Two linear maps with gelu between them, at every position: "… embed=64" to the same, through "…
/// hidden=256". The result is lazy, so that a residual joins its last kernel. PyTorch:
/// `Sequential(Linear, GELU, Linear)`.
template <Spec Embed, Spec Hidden, class... Kind>
struct FeedForward {
  static constexpr std::string_view name = "FeedForward";

  Linear<Embed, Hidden, Kind...> up;
  Linear<Hidden, Embed, Kind...> down;

  template <Expression X>
    requires internal::EndsWith<X, Embed>
  constexpr auto operator()(X&& x) const {
    return down(gelu(up(std::forward<X>(x))));
  }
  template <Expression X, class R = internal::LayerMistake<FeedForward, X, Embed>>
    requires(!std::is_void_v<R>)
  auto operator()(X&& x) const -> R;
  template <internal::Mistake X>
  auto operator()(X const&) const -> X;

  template <class Initializer>
  FeedForward init_parameters(Initializer& initializer) const {
    return {initializer(up), initializer.residual(down)};
  }
};

}  // namespace tenon
