#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/op/extremes.hpp>
#include <tenon/random/uniform.hpp>

namespace tenon::internal {

struct CategoricalName {
  static constexpr std::string_view name = "categorical";
};
struct PermutationName {
  static constexpr std::string_view name = "permutation";
};

/// Throws `ValueError` where logits have no softmax: the largest of a row, which is drawn, is then
/// -inf, inf or NaN.
template <Axes axis, TensorType R, TensorType I>
void check_logits(R const& logits, I const& drawn) {
  if (tracing::is_on() || all(isfinite(pick<axis>(stop_gradient(logits), drawn))).item()) return;
  fail<ValueError>({.who = "categorical",
                    .expected = "logits without NaN and infinity, and one above -infinity",
                    .got = "others"});
}

/// Positions along an axis, sampled with probability softmax(logits): "batch class" gives "batch",
/// `int32`. A logit of -inf is never chosen. By the Gumbel-max trick. Throws `ValueError` where all
/// logits of a row are -inf, or one is NaN or inf. JAX: `categorical`.
template <Axes axis, Expression X>
  requires HasAxes<axis, X> && FloatType<typename Unqualified<X>::value_type>
auto categorical(Key const& key, X&& logits) {
  using R = TensorOf<X>;
  using T = typename R::value_type;
  Sizes const sizes = logits.sizes();
  R const unit = in_shape<R>(unit_row<DrawnRow<R>>(key, 0, row_sizes<R>(sizes)), sizes);
  // The smallest step of the unit draw; 0 would give infinite noise.
  T const least = static_cast<T>(std::same_as<T, double> ? 0x1p-53 : 0x1p-24);
  R const values = keep_value(std::forward<X>(logits));
  auto const noise = log(map<op::Maximum>(-log(T(1) - unit), least));
  auto const drawn = evaluate_expression(argmax<axis>(values - noise));
  check_logits<axis>(values, drawn);
  return drawn;
}
template <Axes axis, Expression X>
  requires(!HasAxes<axis, X>)
auto categorical(Key const& key, X&& logits)
    -> ChoiceMistake<CategoricalName, axis, Unqualified<X>>;

/// The upper 64 bits of (high·2^32 + low)·range, for range up to 2^32: uniform below `range`, with
/// probabilities that differ by less than range / 2^64.
constexpr std::uint64_t below(std::uint32_t high, std::uint32_t low, std::uint64_t range) {
  return (high * range + (low * range >> 32)) >> 32;
}

/// The maximum number of elements of a permutation in `T`: `below` draws from 2^32, `T` stores the
/// positions.
template <std::integral T>
inline constexpr std::uint64_t most_permuted =
    (std::min)(std::uint64_t{1} << 32, std::uint64_t{(std::numeric_limits<T>::max)()} + 1);
template <>
inline constexpr std::uint64_t most_permuted<std::uint64_t> = std::uint64_t{1} << 32;

template <std::integral T>
constexpr void check_permutation(std::int64_t size) {
  if (std::cmp_less_equal(size, most_permuted<T>)) return;
  std::string const most = "at most " + std::to_string(most_permuted<T>) + " elements";
  fail<ShapeError>({"permutation", {}, most, std::to_string(size), {}});
}

/// 0, 1, 2, … in random order: `take<"example">(x, permutation<Int32<"example">>(key, n))`. Throws
/// `ShapeError` beyond 2^32 elements or the range of the dtype. R. Durstenfeld, "Algorithm 235",
/// 1964. JAX: `permutation`. PyTorch: `randperm`.
template <IntegerTensor R, class... I>
  requires(R::rank == 1) && TakesSizes<R, I...>
R permutation(Key const& key, I... sizes) {
  check_permutation<typename R::value_type>(
      count(R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...}), R::rank));
  R result = uninitialised<R>(sizes...);
  using Words = Tensor<std::uint32_t, R::spec, HostOf<typename R::device>>;
  auto const high = random_words<Words>(key, 0, result.sizes());
  auto const low = random_words<Words>(key, 1, result.sizes());
  result.set_elements([&, size = result.size()](auto* order) {
    std::iota(order, order + size, typename R::value_type(0));
    for (std::int64_t i = size - 1; i > 0; --i) {
      auto const range = static_cast<std::uint64_t>(i) + 1;
      std::swap(order[i], order[below(high.data()[i], low.data()[i], range)]);
    }
  });
  return result;
}
template <IntegerTensor R, class... I, class M = SizesMistake<PermutationName, R, I...>>
  requires(R::rank == 1)
auto permutation(Key const& key, I... sizes) -> M;
template <TensorType R, class... P, class M = KeyForm<PermutationName, P...>>
auto permutation(P const&...) -> M;
template <int = 0, class Name = PermutationName, class M = KeyForm<Name>>
auto permutation(NumberOrText) -> M;
template <IntegerTensor R, class... I>
  requires(R::rank != 1)
auto permutation(Key const& key, I... sizes)
    -> error::wrong_number_of_axes<spec_of_name<PermutationName>, R::spec, 1, R::rank>;

}  // namespace tenon::internal

namespace tenon {

using internal::categorical;
using internal::permutation;

}  // namespace tenon
