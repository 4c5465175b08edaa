#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/nn/axes.hpp>

/// Positions for attention: added to its inputs, to its scores, or as rotations of queries and
/// keys.
namespace tenon::internal {

/// A table "t half" for the features of `X`: "t half", "t 1 half", … without names.
template <class X, Spec Position>
struct RotationRule {
  static constexpr int position = Chosen<axes_of<Position>, X>::value.axis();
  static constexpr Axis last = X::shape[X::shape.rank - 1];
  static constexpr Axis half = last.is_static() ? axis_of_size(last.size / 2) : unrelated_axis({});
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = unrelated_axis({});
    while (result.rank < X::shape.rank - position - 1) result[result.rank++] = axis_of_size(1);
    result[result.rank++] = half;
    return result;
  }();
};

}  // namespace tenon::internal

namespace tenon {

/// The angles of rotary positions, a pair of features for each: the result of `rotary_positions`.
template <class T = float, class D = Cpu>
struct RotaryPositions {
  Tensor<T, "t half", D> cosine, sine;
};

/// The frequencies of `rotary_positions` for an even number of features, base^(-2i / features):
/// "half". J. Su et al., "RoFormer", 2021.
template <class T = float, class D = Cpu>
Tensor<T, "half", D> rotary_frequencies(std::int64_t features, double base = 10000) {
  auto const i = iota<Tensor<T, "half", D>>(features / 2);
  return exp(i * static_cast<T>(-2 * std::log(base) / static_cast<double>(features)));
}

/// The rotations of `length` positions from `start` on, from frequencies "half".
template <class T, Spec S, class D>
RotaryPositions<T, D> rotary_positions(Tensor<T, S, D> const& frequencies, std::int64_t start,
                                       std::int64_t length) {
  auto const place = iota<Tensor<T, "t 1", D>>(length) + static_cast<T>(start);
  Tensor<T, "t half", D> const angle = place * frequencies;
  return {cos(angle), sin(angle)};
}

/// Rotates the pairs (i, features / 2 + i) of the last axis by the angles of the positions along an
/// axis: `rotary_embedding<"t">(x, rotary_positions(frequencies, 0, size<"t">(x)))` gives the axes
/// of `x`. ONNX: `RotaryEmbedding`, not interleaved. Throws `ShapeError` for another number of
/// positions.
template <Spec Position, Expression X, class T, class D>
  requires internal::Chosen<internal::axes_of<Position>, internal::Unqualified<X>>::ok
internal::TensorOf<X> rotary_embedding(X const& x, RotaryPositions<T, D> const& positions) {
  using Rule = internal::RotationRule<X, Position>;
  using Table = Tensor<T, internal::spec_of<Rule>, D>;
  auto const [cosine, sine] = positions;
  internal::Sizes sizes = internal::unit_sizes();
  internal::at(sizes, 0) = size<0>(cosine);
  std::int64_t const half = internal::at(sizes, Table::rank - 1) = size<1>(cosine);
  Table const c = internal::reshaped<Table>(cosine, sizes),
              s = internal::reshaped<Table>(sine, sizes);
  internal::TensorOf<X> const whole = x;
  auto const a = slice<-1>(whole, 0, half), b = slice<-1>(whole, half, 2 * half);
  return concat<-1>(a * c - b * s, b * c + a * s);
}

/// Positions to add to embeddings: sin(t / 10000^(2i / embed)) for even features 2i, the cosine for
/// the odd ones after them: `sinusoidal_positions<Float32<"t embed=64">>(length)`. A. Vaswani et
/// al., "Attention is all you need", 2017.
template <TensorType R, class... Length>
R sinusoidal_positions(Length... lengths) {
  using T = typename R::value_type;
  using D = typename R::device;
  static_assert(R::rank == 2, "tenon::sinusoidal_positions: the type of a matrix, \"t embed=64\"");
  auto const like = zeros<R>(lengths...);
  std::int64_t const length = size<0>(like), features = size<1>(like);
  auto const feature = iota<Tensor<std::int32_t, "_", D>>(features);
  auto const pair = to<T>(feature - feature % 2);
  auto const rate = static_cast<T>(-std::log(10000.0) / static_cast<double>(features));
  Tensor<T, "_ _", D> const angle = iota<Tensor<T, "_ 1", D>>(length) * exp(pair * rate);
  return where(feature % 2 == 0, sin(angle), cos(angle));
}

/// The slope of each head of `alibi`: 2^(-8 h / n) for head h = 1 ... n, if the number of heads n
/// is a power of two. Otherwise those of p heads, where p is the largest power of two below n,
/// followed by the first, third, fifth ... of those of 2 p heads, as in the code of the paper.
std::vector<double> alibi_slopes(std::int64_t heads);

/// Attention with linear biases: a mask "head query key" that is added to the scores of attention,
/// slope * (key position - query position), with a slope for each head, those of `alibi_slopes`.
/// The last query has the position of the last key, so the mask also serves queries after cached
/// keys: `alibi<Float32<"head=8 query key">>(queries, keys)` takes the run-time sizes of its type
/// in order; floating dtypes, any names. Causal masking is not part of it. O. Press et al., "Train
/// short, test long", 2022. PyTorch: an `attn_mask` of these numbers.
template <TensorType R, class... I>
R alibi(I... lengths) {
  using T = typename R::value_type;
  using D = typename R::device;
  static_assert(R::rank == 3, "tenon::alibi: a type of three axes, \"head=8 query key\"");
  auto const like = zeros<R>(lengths...);
  std::int64_t const queries = size<1>(like), keys = size<2>(like);
  std::vector<double> const all = alibi_slopes(size<0>(like));
  Tensor<T, "head 1 1"> const slopes(std::vector<T>(all.begin(), all.end()), size<0>(like));
  auto const query = iota<Tensor<T, "_ 1", D>>(queries) + static_cast<T>(keys - queries);
  return to<D>(slopes) * (iota<Tensor<T, "_", D>>(keys) - query);
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

namespace tenon {

TENON_RUNTIME std::vector<double> alibi_slopes(std::int64_t heads) {
  std::vector<double> slopes;
  std::int64_t power = 1;
  while (2 * power <= heads) power *= 2;
  auto const slope = [](std::int64_t i, std::int64_t of) {
    return std::exp2(-8.0 * static_cast<double>(i) / static_cast<double>(of));
  };
  for (std::int64_t i = 1; i <= power; ++i) slopes.push_back(slope(i, power));
  for (std::int64_t i = 1; power + i / 2 < heads; i += 2) slopes.push_back(slope(i, 2 * power));
  return slopes;
}

}  // namespace tenon

#endif
