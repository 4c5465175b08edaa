#pragma once

#include <tenon/random/uniform.hpp>

namespace tenon {

struct NormalName {
  static constexpr std::string_view name = "normal";
};

template <class R>
concept NormalTensor = FloatingTensor<R> && !HalfType<typename R::value_type>;

/// The normal distribution of mean 0 and deviation 1, by Box and Muller. JAX: `normal`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, I... sizes) {
  Sizes const all = given_sizes<R>(sizes...);
  return R(map<op::NormalDraw>(unit_draw<R>(key, 0, all), unit_draw<R>(key, 2, all)));
}

/// The normal distribution of a mean and a deviation: `normal<Float32<"n">>(key, 0, 0.02, n)`.
template <NormalTensor R, DrawParameter M, DrawParameter D, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, M mean, D deviation, I... sizes) {
  using T = typename R::value_type;
  R const unit = normal<R>(key, sizes...);
  return R(map<op::SpreadDraw>(unit, static_cast<T>(mean), static_cast<T>(deviation)));
}

template <TensorType R, class... P>
  requires(!TakesSizes<R, P...> && dynamic_axes(R::shape) + 2 != sizeof...(P))
auto normal(Key const& key, P... parameters) -> SizesMistake<NormalName, R, P...>;

}  // namespace tenon
