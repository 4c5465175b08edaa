#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/random/words.hpp>

/// The checks of the parameters of distributions, once for each draw.
namespace tenon::internal {

/// Throws `ValueError` unless low <= high and their difference, in the dtype, is finite.
void check_uniform(double low, double high, double difference);

/// Throws `ValueError` for integers in [low, high) that a dtype does not hold; without one, for
/// none or too many of them.
[[noreturn]] void refuse_integers(std::string_view who, std::string const& low,
                                  std::string const& high, std::string_view dtype);

/// Throws `ValueError` unless both are finite and the deviation is not negative.
void check_normal(double mean, double deviation);

}  // namespace tenon::internal

/// Random tensors: `uniform<Float32<"n m">>(key, n, m)`. After the key come the parameters of the
/// distribution, if any, then the sizes of the run-time axes in order, as for `full`. Element i
/// depends on the key and i alone: not on the device, the threads or the number of elements.
namespace tenon::internal {

struct RandomBitsName {
  static constexpr std::string_view name = "random_bits";
};
struct UniformName {
  static constexpr std::string_view name = "uniform";
};
struct BernoulliName {
  static constexpr std::string_view name = "bernoulli";
};

/// All sizes of an `R` from those of its run-time axes.
template <TensorType R, class... I>
constexpr Sizes given_sizes(I... sizes) {
  return R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...});
}

/// Whether the first argument is a key.
template <class... P>
inline constexpr bool starts_with_key = false;
template <class K, class... P>
inline constexpr bool starts_with_key<K, P...> = std::convertible_to<K const&, Key const&>;

/// The return type of a random function that got no key.
template <class Name, class... P>
  requires(!starts_with_key<P...>)
using KeyForm = error::key_is_missing<spec_of_name<Name>, spec_of_text<KeyFormText<Name>>>;

template <class V>
concept DrawParameter = std::is_arithmetic_v<V>;

/// Tensors of floating dtypes.
template <class R>
concept FloatingTensor = TensorType<R> && FloatType<typename R::value_type>;
template <class R>
concept IntegerTensor = TensorType<R> && IntegerType<typename R::value_type>;

/// The words of the stream, 32 random bits each: a tensor of uint32. JAX: `bits`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && std::same_as<typename R::value_type, std::uint32_t>
R random_bits(Key const& key, I... sizes) {
  return random_words<R>(key, 0, given_sizes<R>(sizes...));
}
template <TensorType R, class... I, class M = SizesMistake<RandomBitsName, R, I...>>
auto random_bits(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<RandomBitsName, P...>>
auto random_bits(P const&...) -> M;

/// Uniform in [0, 1), of the floating tensor type `R`. JAX: `uniform`. PyTorch: `rand`.
template <FloatingTensor R, class... I>
  requires TakesSizes<R, I...>
R uniform(Key const& key, I... sizes) {
  Sizes const all = given_sizes<R>(sizes...);
  return in_shape<R>(unit_row<DrawnRow<R>>(key, 0, row_sizes<R>(all)), all);
}

/// Uniform in [low, high), of `float` or `double`; `low` if both are equal. Throws `ValueError`
/// unless low <= high and their difference is finite. JAX: `uniform`.
template <FloatingTensor R, DrawParameter L, DrawParameter H, class... I>
  requires TakesSizes<R, I...> && (!HalfType<typename R::value_type>)
R uniform(Key const& key, L low, H high, I... sizes) {
  using T = typename R::value_type;
  T const from = static_cast<T>(low), to = static_cast<T>(high);
  check_uniform(static_cast<double>(from), static_cast<double>(to), static_cast<double>(to - from));
  R const unit = uniform<R>(key, sizes...);
  return R(map<op::StretchedDraw>(unit, from, to));
}

/// The number of integers in [low, high). Throws `ValueError` unless it is from 1 to 2^32 - 1, and
/// where one of them is outside the range of dtype `T`.
template <class T, std::integral L, std::integral H>
constexpr std::uint32_t integer_count(L low, H high, std::string_view who = UniformName::name) {
  auto const range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  bool const is_range = std::cmp_less(+low, +high) && range >> 32 == 0;
  if (!is_range || !std::in_range<T>(+low) || !std::in_range<T>(high - H(1)))
    refuse_integers(who, std::to_string(low), std::to_string(high), is_range ? dtype_name<T> : "");
  return static_cast<std::uint32_t>(range);
}

/// The sum of `numbers` as `T` and the integer `low`; in 32 bits where `T` has no more: sums wrap.
template <class T, class X, std::integral L>
auto added_to(X const& numbers, L low) {
  if constexpr (sizeof(T) > 4) return to<T>(numbers) + static_cast<T>(low);
  else return to<T>(numbers + static_cast<std::uint32_t>(low));
}

/// Integers of the type `R`, uniform in [low, high), each from 64 random bits. Throws `ValueError`
/// where that range is empty, has 2^32 integers or more, or exceeds the dtype. JAX, PyTorch:
/// `randint`.
template <IntegerTensor R, std::integral L, std::integral H, class... I>
  requires TakesSizes<R, I...>
R uniform(Key const& key, L low, H high, I... sizes) {
  using T = typename R::value_type;
  std::uint32_t const range = integer_count<T>(low, high);
  Sizes const all = given_sizes<R>(sizes...);
  if constexpr (R::device::is_host) {
    auto numbers = Tensor<std::uint32_t, R::spec, typename R::device>::uninitialised(all);
    draw_integers(key.words(), range, numbers);
    return R(added_to<T>(numbers, low));
  } else {
    auto const upper = random_words<R>(key, 0, all), lower = random_words<R>(key, 1, all);
    return R(added_to<T>(map<op::IntegerDraw>(upper, lower, range), low));
  }
}

template <class R, class... A>
  requires Creates<R, UniformName, A...>
R uniform(A const&... arguments) {
  return Creation<UniformName, R, A...>::of(arguments...);
}

template <TensorType R, class... P, class M = SizesMistake<UniformName, R, P...>>
  requires(dynamic_axes(R::shape) + 2 != sizeof...(P))
auto uniform(Key const& key, P... parameters) -> M;
template <TensorType R, class... P, class M = KeyForm<UniformName, P...>>
auto uniform(P const&...) -> M;
template <Spec, class Name = UniformName, class M = TypeForm<Name>>
auto uniform(auto const&...) -> M;

/// The words below it are true with probability `p`. Throws `ValueError` unless `p` is from 0 to 1.
std::uint64_t bernoulli_bound(double p);

/// A mask of type `R`: true with probability `p`, to 2^-32: where a word is below p 2^32. Throws
/// `ValueError` unless `p` is from 0 to 1. With a probability for each element write
/// `uniform<R>(key, n) < p`, which checks nothing. JAX: `bernoulli`.
template <TensorType R, DrawParameter P, class... I>
  requires TakesSizes<R, I...> && BoolType<typename R::value_type>
R bernoulli(Key const& key, P p, I... sizes) {
  std::uint64_t const bound = bernoulli_bound(static_cast<double>(p));
  if (bound == 0) return full<R>(false, sizes...);
  auto const last = static_cast<std::uint32_t>(bound - 1);
  return R(random_words<R>(key, 0, given_sizes<R>(sizes...)) <= last);
}
template <TensorType R, DrawParameter P, class... I, class M = SizesMistake<BernoulliName, R, I...>>
auto bernoulli(Key const& key, P p, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<BernoulliName, P...>>
auto bernoulli(P const&...) -> M;
template <Spec, class Name = BernoulliName, class M = TypeForm<Name>>
auto bernoulli(auto const&...) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::bernoulli;
using internal::random_bits;
using internal::uniform;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>
#include <tenon/tensor/number_text.hpp>

namespace tenon::internal {

TENON_RUNTIME void check_uniform(double low, double high, double difference) {
  if (low <= high && std::isfinite(difference)) return;
  std::string const got =
      concatenate({"[", lone_number(low, true), ", ", lone_number(high, true), ")"});
  fail<ValueError>({.who = "uniform", .expected = "finite bounds low <= high", .got = got});
}

TENON_RUNTIME void refuse_integers(std::string_view who, std::string const& low,
                                   std::string const& high, std::string_view dtype) {
  std::string const expected =
      dtype.empty() ? "1 to 2^32 - 1 integers" : concatenate({"integers that ", dtype, " holds"});
  fail<ValueError>({who, {}, expected, concatenate({"[", low, ", ", high, ")"}), {}});
}

TENON_RUNTIME void check_normal(double mean, double deviation) {
  if (deviation >= 0 && std::isfinite(mean) && std::isfinite(deviation)) return;
  std::string const got = concatenate(
      {"mean ", lone_number(mean, true), " and deviation ", lone_number(deviation, true)});
  fail<ValueError>(
      {.who = "normal", .expected = "a finite mean and a finite deviation >= 0", .got = got});
}

TENON_RUNTIME std::uint64_t bernoulli_bound(double p) {
  if (p >= 0 && p <= 1) return static_cast<std::uint64_t>(std::ceil(p * 0x1p32));
  fail<ValueError>(
      {.who = "bernoulli", .expected = "a probability from 0 to 1", .got = lone_number(p, true)});
}

}  // namespace tenon::internal

#endif
