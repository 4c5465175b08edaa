#pragma once

#include <tenon/random/uniform.hpp>

namespace tenon::internal {

struct NormalName {
  static constexpr std::string_view name = "normal";
};

template <class R>
concept NormalTensor = FloatingTensor<R> && !HalfType<typename R::value_type>;

template <TensorType Row>
Row normal_row(Key const& key, Sizes const& sizes, std::int64_t first = 0) {
  return Row(map<op::NormalDraw>(unit_row<Row>(key, 0, sizes, first),
                                 unit_row<Row>(key, 2, sizes, first)));
}
template <TensorType Row, class T>
Row spread_row(Row const& unit, T mean, T deviation) {
  return Row(map<op::SpreadDraw>(unit, mean, deviation));
}

/// A tensor `R` of `float` or `double` from the normal distribution with mean 0 and standard
/// deviation 1, by Box and Muller. JAX: `normal`. PyTorch: `randn`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, I... sizes) {
  Sizes const all = given_sizes<R>(sizes...);
  return in_shape<R>(normal_row<DrawnRow<R>>(key, row_sizes<R>(all)), all);
}

/// The normal distribution with a mean and a standard deviation: `normal<Float32<"n">>(key, 0,
/// 0.02, n)`. Throws `ValueError` unless both are finite and the deviation is not negative.
template <NormalTensor R, DrawParameter M, DrawParameter D, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, M mean, D deviation, I... sizes) {
  using T = typename R::value_type;
  using Row = DrawnRow<R>;
  T const center = static_cast<T>(mean), spread = static_cast<T>(deviation);
  check_normal(static_cast<double>(center), static_cast<double>(spread));
  Sizes const all = given_sizes<R>(sizes...);
  Row const unit = normal_row<Row>(key, row_sizes<R>(all));
  return in_shape<R>(spread_row(unit, center, spread), all);
}

template <class R, class... A>
  requires Creates<R, NormalName, A...>
R normal(A const&... arguments) {
  return Creation<NormalName, R, A...>::of(arguments...);
}

template <TensorType R, class... P, class M = SizesMistake<NormalName, R, P...>>
  requires(dynamic_axes(R::shape) + 2 != sizeof...(P))
auto normal(Key const& key, P... parameters) -> M;
template <TensorType R, class... P, class M = KeyForm<NormalName, P...>>
auto normal(P const&...) -> M;
template <Spec, class Name = NormalName, class M = TypeForm<Name>>
auto normal(auto const&...) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::normal;

}  // namespace tenon
