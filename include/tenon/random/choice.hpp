#pragma once

#include <utility>

#include <tenon/expr/normalise.hpp>
#include <tenon/random/uniform.hpp>

namespace tenon {

struct CategoricalName {
  static constexpr std::string_view name = "categorical";
};
struct PermutationName {
  static constexpr std::string_view name = "permutation";
};

/// Positions along an axis, chosen with probability softmax(logits): "batch class" gives "batch",
/// `int32`. A logit of -inf is never chosen unless all are. The largest of logits + Gumbel noise.
/// JAX: `categorical`.
template <Axes axis, Expression X>
  requires HasAxes<axis, X> && FloatType<typename Unqualified<X>::value_type>
auto categorical(Key const& key, X&& logits) {
  using R = TensorOf<X>;
  using T = typename R::value_type;
  R const unit = unit_draw<R>(key, 0, logits.sizes());
  // The least step of the unit draw; 0 would make infinite noise.
  T const least = static_cast<T>(std::same_as<T, double> ? 0x1p-53 : 0x1p-24);
  return evaluate(argmax<axis>(logits - log(max(-log(T(1) - unit), least))));
}
template <Axes axis, Expression X>
  requires(!HasAxes<axis, X>)
auto categorical(Key const& key, X&& logits)
    -> ChoiceMistake<CategoricalName, axis, Unqualified<X>>;

/// The upper 64 bits of (high·2^32 + low)·range, for range below 2^32: uniform below `range`, with
/// chances that differ by less than range / 2^64.
constexpr std::uint64_t below(std::uint32_t high, std::uint32_t low, std::uint64_t range) {
  return (high * range + (low * range >> 32)) >> 32;
}

/// 0, 1, 2, … in random order: `take<"example">(x, permutation<Int32<"example">>(key, n))`. Throws
/// `ShapeError` beyond 2^32 elements. R. Durstenfeld, "Algorithm 235", 1964. JAX: `permutation`.
template <IntegerTensor R, class... I>
  requires(R::rank == 1) && TakesSizes<R, I...>
R permutation(Key const& key, I... sizes) {
  R result = iota<R>(sizes...);
  if (result.size() >> 32 != 0) {
    fail<ShapeError>(
        {"permutation", {}, "at most 2^32 elements", std::to_string(result.size()), {}});
  }
  auto const high = random_words<R>(key, 0, result.sizes());
  auto const low = random_words<R>(key, 1, result.sizes());
  auto* const order = result.mutable_data();
  for (std::int64_t i = result.size() - 1; i > 0; --i) {
    auto const range = static_cast<std::uint64_t>(i) + 1;
    std::swap(order[i], order[below(high.data()[i], low.data()[i], range)]);
  }
  return result;
}
template <IntegerTensor R, class... I>
  requires(R::rank == 1) && (!TakesSizes<R, I...>)
auto permutation(Key const& key, I... sizes) -> SizesMistake<PermutationName, R, I...>;
template <IntegerTensor R, class... I>
  requires(R::rank != 1)
auto permutation(Key const& key, I... sizes)
    -> error::wrong_number_of_axes<spec_of_name<PermutationName>, R::spec, 1, R::rank>;

}  // namespace tenon
