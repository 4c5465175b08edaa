#pragma once

#include <concepts>
#include <string_view>

#include <tenon/op/extremes.hpp>
#include <tenon/op/shifted.hpp>
#include <tenon/op/trigonometric.hpp>
#include <tenon/random/normal.hpp>

/// Draws that are one formula of uniform or normal numbers, as kernels.
namespace tenon::op {

/// Of the exponential distribution, from a number in [0, 1).
struct ExponentialDraw {
  static constexpr std::string_view name = "exponential";
  static constexpr bool draws = true;
  template <FloatingValue V>
  static constexpr V f(V u) {
    return -Log1p::f(-u);
  }
};

/// An exponential number with a random sign.
struct LaplaceDraw {
  static constexpr std::string_view name = "laplace";
  static constexpr bool draws = true;
  template <FloatingValue V>
  static constexpr V f(V u, V side) {
    V const size = ExponentialDraw::f(u);
    return select(side < V(scalar_of<V>(0.5)), -size, size);
  }
};

struct CauchyDraw {
  static constexpr std::string_view name = "cauchy";
  static constexpr bool draws = true;
  template <FloatingValue V>
  static constexpr V f(V u) {
    using T = scalar_of<V>;
    return Tan::f((u - V(T(0.5))) * V(T(3.14159265358979323846)));
  }
};

/// The negative logarithm of an exponential number, which is at least the smallest step of the
/// uniform one.
struct GumbelDraw {
  static constexpr std::string_view name = "gumbel";
  static constexpr bool draws = true;
  template <FloatingValue V>
  static constexpr V f(V u) {
    using T = scalar_of<V>;
    V const least = V(T(std::same_as<T, double> ? 0x1p-54 : 0x1p-25));
    return -Log::f(Maximum::f(ExponentialDraw::f(u), least));
  }
};

struct LogNormalDraw {
  static constexpr std::string_view name = "lognormal", form = "lognormal<R>(Key(42), 0.5, n)";
  static constexpr bool draws = true;
  template <FloatingValue V>
  static constexpr V f(V z, V deviation) {
    return Exp::f(z * deviation);
  }
};

}  // namespace tenon::op

namespace tenon::internal::random {

struct RademacherName {
  static constexpr std::string_view name = "rademacher";
};
struct RandintName {
  static constexpr std::string_view name = "randint";
  static constexpr std::string_view form = "randint<R>(Key(42), low, high, n)";
};

/// The formula of uniform numbers of the streams `streams`.
template <class Draw, TensorType R, std::uint32_t... streams, class... I>
R transform_uniform(Key const& key, I... sizes) {
  using Row = DrawnRow<R>;
  Sizes const all = given_sizes<R>(sizes...), row = row_sizes<R>(all);
  return in_shape<R>(Row(map<Draw>(unit_row<Row>(key, streams, row)...)), all);
}

/// The exponential distribution of rate 1. JAX: `exponential`. NumPy: `standard_exponential`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R exponential(Key const& key, I... sizes) {
  return transform_uniform<op::ExponentialDraw, R, 0>(key, sizes...);
}
template <TensorType R, class... I, class M = SizesMistake<op::ExponentialDraw, R, I...>>
auto exponential(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<op::ExponentialDraw, P...>>
auto exponential(P const&...) -> M;

/// Laplace's distribution around 0 with scale 1, of variance 2. JAX, NumPy: `laplace`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R laplace(Key const& key, I... sizes) {
  return transform_uniform<op::LaplaceDraw, R, 0, 2>(key, sizes...);
}
template <TensorType R, class... I, class M = SizesMistake<op::LaplaceDraw, R, I...>>
auto laplace(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<op::LaplaceDraw, P...>>
auto laplace(P const&...) -> M;

/// Cauchy's distribution around 0 with scale 1. JAX: `cauchy`. NumPy: `standard_cauchy`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R cauchy(Key const& key, I... sizes) {
  return transform_uniform<op::CauchyDraw, R, 0>(key, sizes...);
}
template <TensorType R, class... I, class M = SizesMistake<op::CauchyDraw, R, I...>>
auto cauchy(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<op::CauchyDraw, P...>>
auto cauchy(P const&...) -> M;

/// Gumbel's distribution of extreme values, at 0 with scale 1. JAX, NumPy: `gumbel`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R gumbel(Key const& key, I... sizes) {
  return transform_uniform<op::GumbelDraw, R, 0>(key, sizes...);
}
template <TensorType R, class... I, class M = SizesMistake<op::GumbelDraw, R, I...>>
auto gumbel(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<op::GumbelDraw, P...>>
auto gumbel(P const&...) -> M;

/// e^(deviation z) of normal numbers z. Throws `ValueError` unless the deviation is finite and not
/// negative. JAX, NumPy: `lognormal`.
template <NormalTensor R, DrawParameter D, class... I>
  requires TakesSizes<R, I...>
R lognormal(Key const& key, D deviation, I... sizes) {
  using Row = DrawnRow<R>;
  auto const spread = static_cast<typename R::value_type>(deviation);
  check_normal(0, static_cast<double>(spread));
  Sizes const all = given_sizes<R>(sizes...);
  Row const z = normal_row<Row>(key, row_sizes<R>(all));
  return in_shape<R>(Row(map<op::LogNormalDraw>(z, spread)), all);
}
template <TensorType R, DrawParameter D, class... I,
          class M = SizesMistake<op::LogNormalDraw, R, I...>>
auto lognormal(Key const& key, D deviation, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<op::LogNormalDraw, P...>>
auto lognormal(P const&...) -> M;

/// 1 or -1, each with probability 1/2, in a signed dtype. JAX: `rademacher`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && std::is_signed_v<typename R::value_type>
R rademacher(Key const& key, I... sizes) {
  auto const words = random_words<R>(key, 0, given_sizes<R>(sizes...));
  return R(1 - 2 * to<typename R::value_type>(words >> 31));
}
template <TensorType R, class... I, class M = SizesMistake<RademacherName, R, I...>>
auto rademacher(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<RademacherName, P...>>
auto rademacher(P const&...) -> M;

/// Integers of the type `R`, uniform in [low, high): `uniform` of an integer type under the name of
/// other libraries. Throws `ValueError` where that range is empty, has 2^32 integers or more, or
/// exceeds the dtype. JAX, PyTorch: `randint`.
template <IntegerTensor R, std::integral L, std::integral H, class... I>
  requires TakesSizes<R, I...>
R randint(Key const& key, L low, H high, I... sizes) {
  (void)integer_count<typename R::value_type>(low, high, RandintName::name);
  return uniform<R>(key, low, high, sizes...);
}
template <TensorType R, std::integral L, std::integral H, class... I,
          class M = SizesMistake<RandintName, R, I...>>
  requires(!TakesSizes<R, I...>)
auto randint(Key const& key, L low, H high, I... sizes) -> M;
template <FloatingTensor R, class... P,
          class M = typename decltype(dtype_mistake<RandintName, R>())::type>
auto randint(Key const& key, P... parameters) -> M;
template <TensorType R, class... P, class M = KeyForm<RandintName, P...>>
auto randint(P const&...) -> M;

}  // namespace tenon::internal::random

namespace tenon::random {

using internal::random::cauchy;
using internal::random::exponential;
using internal::random::gumbel;
using internal::random::laplace;
using internal::random::lognormal;
using internal::random::rademacher;
using internal::random::randint;

}  // namespace tenon::random
