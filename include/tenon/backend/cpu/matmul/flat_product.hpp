#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include <tenon/backend/cpu/simd/registers.hpp>
#include <tenon/eval/contract/contraction.hpp>

/// Matmuls whose operands and result each fit into a few registers, for any axes: the result is one
/// row of lanes, and for each term of the sums the operands' elements are shuffled into position.
/// Nothing is loaded twice, no lane is masked. (3 x 3 floats: one register, three terms.)
namespace tenon::internal {

/// The positions of the operands' elements for each lane of the result.
template <class Labels, int width>
struct FlatProduct {
  static constexpr LoopLabels walked = Labels::all.chosen(true), summed = Labels::all.chosen(false);
  static constexpr int elements = static_cast<int>(walked.count());
  static constexpr int terms = static_cast<int>(summed.count());

  /// Whether the result is contiguous.
  static constexpr bool is_dense = [] {
    bool is_dense = elements > 0;
    for (int i = 0; i < elements; ++i) is_dense = is_dense && walked.place(i).c < elements;
    return is_dense;
  }();

  /// The first term of every element of the result, in memory order.
  static constexpr auto firsts = [] {
    std::array<LoopLabel, static_cast<std::size_t>(elements)> firsts{};
    for (int i = 0; i < elements; ++i) {
      LoopLabel const place = walked.place(i);
      if (is_dense) firsts[static_cast<std::size_t>(place.c)] = place;
    }
    return firsts;
  }();

  /// The positions for one register of the result and one term. (Lanes past the last element repeat
  /// the first ones: a periodic shuffle is cheaper.)
  template <bool is_left>
  static constexpr LaneOrder<width> factors(int number, int term) {
    LoopLabel const at = summed.place(term);
    LaneOrder<width> factors{};
    for (int i = 0; i < width; ++i) {
      LoopLabel const& first = firsts[static_cast<std::size_t>((number * width + i) % elements)];
      factors[static_cast<std::size_t>(i)] =
          static_cast<int>(is_left ? first.a + at.a : first.b + at.b);
    }
    return factors;
  }
};

/// The number of elements of an operand that a matmul reads.
template <class Labels, bool is_left>
inline constexpr int flat_extent = [] {
  std::int64_t last = 0;
  for (int i = 0; i < Labels::all.size; ++i)
    last += (Labels::all[i].extent - 1) * (is_left ? Labels::all[i].a : Labels::all[i].b);
  return static_cast<int>(last + 1);
}();

/// The lanes of a register, or the number of elements of the largest of the three tensors, if
/// fewer.
template <class Labels, class T>
inline constexpr int flat_width = [] {
  int most = static_cast<int>(Labels::all.chosen(true).count());
  most = (std::max)({most, flat_extent<Labels, true>, flat_extent<Labels, false>});
  unsigned const lanes = std::bit_ceil(static_cast<unsigned>((std::max)(most, 2)));
  return static_cast<int>((std::min)(std::size_t{lanes}, register_bytes / sizeof(T)));
}();

/// Whether a matmul is computed in this way: small, and without general gathers.
template <class Labels, class T>
inline constexpr bool is_flat_product = [] {
  constexpr int width = flat_width<Labels, T>;
  using P = FlatProduct<Labels, width>;
  if constexpr (!P::is_dense || P::terms < 1) return false;
  else {
    using A = Registers<T, flat_extent<Labels, true>, width>;
    using B = Registers<T, flat_extent<Labels, false>, width>;
    int const registers = (P::elements + width - 1) / width;
    if (registers * P::terms > 32) return false;
    int sources = 0;
    for (int i = 0; i < registers; ++i)
      sources = (std::max)({sources, A::sources(P::template factors<true>(i, 0)),
                            B::sources(P::template factors<false>(i, 0))});
    return sources <= 4;
  }
}();

/// Adds the terms of one register of the result, in their order.
template <class P, int i, class A, class B, int... term>
TENON_INLINE inline void add_terms(A const& a, B const& b, auto& sum,
                                   std::integer_sequence<int, term...>) {
  ((sum += a.template gathered<P::template factors<true>(i, term)>() *
           b.template gathered<P::template factors<false>(i, term)>()),
   ...);
}

template <class P, bool accumulates, class A, class B, class C, int i = 0>
TENON_INLINE inline void add_registers(A const& a, B const& b, C& sums) {
  if constexpr (!accumulates) sums.all[i] = Unqualified<decltype(sums.all[i])>{};
  add_terms<P, i>(a, b, sums.all[i], std::make_integer_sequence<int, P::terms>());
  if constexpr (i + 1 < C::number) add_registers<P, accumulates, A, B, C, i + 1>(a, b, sums);
}

/// Computes such a matmul to c, or adds it to c.
template <class Labels, bool accumulates, class T>
TENON_INLINE inline void multiply_flat(T const* a, T const* b, T* c) {
  constexpr int width = flat_width<Labels, T>;
  using P = FlatProduct<Labels, width>;
  Registers<T, flat_extent<Labels, true>, width> x;
  Registers<T, flat_extent<Labels, false>, width> y;
  Registers<T, P::elements, width> sums;
  x.load(a), y.load(b);
  if constexpr (accumulates) sums.load(c);
  add_registers<P, accumulates>(x, y, sums);
  sums.store(c);
}

}  // namespace tenon::internal
