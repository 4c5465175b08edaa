#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/backend/cpu/matmul/bf16_dot_place.hpp>
#include <tenon/backend/cpu/matmul/matrix.hpp>
#include <tenon/backend/cpu/simd/lanes_dots.hpp>
#include <tenon/backend/cpu/simd/lanes_half.hpp>
#include <tenon/backend/cpu/simd/lanes_tiles.hpp>
#include <tenon/backend/cpu/simd/transpose.hpp>

/// Packs operands into squares of pairs, from any layout.
namespace tenon::internal::simd {

/// Sixteen registers of sixteen pairs: the lines of a square, or for each pair all lines.
using PairSquare = Batch<float>[Pairs::lines];

/// A register per line: terms are contiguous.
inline void load_lines(bfloat16 const* from, std::int64_t line, PairSquare& to) {
#pragma GCC unroll 16
  for (int i = 0; i < Pairs::lines; ++i)
    to[i] = Batch<float>::load_unaligned(reinterpret_cast<float const*>(from + i * line));
}
/// Two terms of sixteen contiguous lines.
TENON_INLINE inline Batch<float> load_pair(bfloat16 const* from, std::int64_t step) {
  Words const even = Native::load_words(&from->bits), odd = Native::load_words(&from[step].bits);
  return value_of(even | (odd << 16));
}
/// A register per pair.
inline void load_steps(bfloat16 const* from, std::int64_t step, PairSquare& to) {
#pragma GCC unroll 16
  for (int q = 0; q < Pairs::lines; ++q) to[q] = load_pair(from + 2 * q * step, step);
}

/// At most a square from `from`, whose rows are lines and whose columns are steps, padded with
/// zeros. If steps are contiguous `to` has lines, otherwise the steps of all lines.
inline void copy_part(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from,
                      bfloat16 (&to)[Pairs::square]) {
  std::fill_n(to, Pairs::square, bfloat16());
  if (from.column_stride == 1) {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * Pairs::depth, &from(i, 0), static_cast<std::size_t>(k) * sizeof(*to));
  } else {
    for (std::int64_t p = 0; p < k; ++p)
      for (std::int64_t i = 0; i < n; ++i) to[p * Pairs::lines + i] = from(i, p);
  }
}

/// One square; `by_pairs`: in the order of a right operand, for each pair all lines. (`Square` is a
/// parameter, so that the function compiles for targets with other registers.)
template <bool by_pairs, class Square = PairSquare>
void pack_square(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from, bfloat16* to) {
  bool const has_lines = from.column_stride == 1;
  bool const straight = has_lines || from.row_stride == 1;
  Square square;
  alignas(64) bfloat16 part[Pairs::square];
  if (n < Pairs::lines || k < Pairs::depth || !straight) {
    copy_part(n, k, from, part);
    from = {part, has_lines ? Pairs::depth : 1, has_lines ? 1 : Pairs::lines};
  }
  if (has_lines) load_lines(from.data, from.row_stride, square);
  else load_steps(from.data, from.column_stride, square);
  if constexpr (width<float> == Pairs::lines)
    if (has_lines == by_pairs) transpose_registers(square);
#pragma GCC unroll 16
  for (int i = 0; i < Pairs::lines; ++i)
    square[i].store_unaligned(reinterpret_cast<float*>(to + i * Pairs::depth));
}

/// A whole panel of a right operand with contiguous lines, two squares at a time, so that whole
/// cache lines of distant memory are read.
inline void pack_both(bfloat16 const* from, std::int64_t step, bfloat16* to) {
  for (int q = 0; q < Pairs::lines; ++q, from += 2 * step, to += Pairs::depth) {
    load_pair(from, step).store_unaligned(reinterpret_cast<float*>(to));
    load_pair(from + Pairs::lines, step)
        .store_unaligned(reinterpret_cast<float*>(to + Pairs::square));
  }
}

/// One step of a panel: at most 32 lines and 32 steps.
template <bool by_pairs>
void pack_step(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from, bfloat16* to) {
  if (by_pairs && n == Pairs::panel && k == Pairs::depth && from.row_stride == 1)
    return pack_both(from.data, from.column_stride, to);
  for (std::int64_t i = 0; i < n; i += Pairs::lines, to += Pairs::square)
    pack_square<by_pairs>(std::min<std::int64_t>(Pairs::lines, n - i), k, from.from(i, 0), to);
}

/// Packs the terms from `first` to `last` of n lines of k terms, in memory order.
template <bool by_pairs>
[[gnu::noinline]] void pack_pairs(std::int64_t n, std::int64_t k, std::int64_t first,
                                  std::int64_t last, StridedMatrix<bfloat16 const> from,
                                  bfloat16* to) {
  auto const pack = [&](std::int64_t j, std::int64_t p) {
    std::int64_t const lines = std::min<std::int64_t>(Pairs::panel, n - j);
    pack_step<by_pairs>(lines, std::min<std::int64_t>(Pairs::depth, last - p), from.from(j, p),
                        to + Pairs::elements(j, k) + p * Pairs::whole_lines(lines));
  };
  if (from.column_stride == 1) {
    for (std::int64_t j = 0; j < n; j += Pairs::panel)
      for (std::int64_t p = first; p < last; p += Pairs::depth) pack(j, p);
  } else {
    for (std::int64_t p = first; p < last; p += Pairs::depth)
      for (std::int64_t j = 0; j < n; j += Pairs::panel) pack(j, p);
  }
}
template <bool by_pairs>
void pack_pairs(std::int64_t n, std::int64_t k, StridedMatrix<bfloat16 const> from, bfloat16* to) {
  pack_pairs<by_pairs>(n, k, 0, k, from, to);
}

}  // namespace tenon::internal::simd

/// Matmuls of bfloat16 by dot product instructions, on one thread. Sums are floats, in an order
/// that depends only on their length.
namespace tenon::internal::simd {

/// Cache blocking: a row of panels reads a block of the right operand, 1 MB, from the L2 cache.
struct PairBlocks {
  static constexpr std::int64_t depth = 512, columns = 1024;

  /// Equal parts of at most `depth`, in full squares.
  static constexpr std::int64_t equal_depth(std::int64_t k) {
    std::int64_t const parts = (k + depth - 1) / depth;
    return Pairs::squares((k + parts - 1) / parts) * Pairs::depth;
  }
  /// Elements of scratch memory: a panel of the left operand, and a block of the right.
  static constexpr std::int64_t left_elements(std::int64_t k) {
    return Pairs::elements(Pairs::panel, (std::min)(k, depth));
  }
  static constexpr std::int64_t elements(std::int64_t n, std::int64_t k) {
    return left_elements(k) + Pairs::elements((std::min)(n, columns), (std::min)(k, depth));
  }
};

template <class Machine>
void multiply_squares(bool tall, bool wide, PairPlace const& at) {
  if (tall && wide) Machine::template multiply<true, true>(at);
  else if (tall) Machine::template multiply<true, false>(at);
  else if (wide) Machine::template multiply<false, true>(at);
  else Machine::template multiply<false, false>(at);
}

/// Multiplies two panels, in full squares.
inline void multiply_squares(bool tall, bool wide, PairPlace const& at) {
  using Machine = std::conditional_t<Tiles::is_compiled, Tiles, PairDots>;
  multiply_squares<Machine>(tall, wide, at);
}

/// Copies m rows of n floats.
inline void copy_rows(std::int64_t m, std::int64_t n, float const* from, std::int64_t from_row,
                      float* to, std::int64_t to_row) {
  for (std::int64_t i = 0; i < m; ++i, from += from_row, to += to_row)
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(float));
}

/// Multiplies two panels to m x n sums. Incomplete squares are computed in scratch memory, in the
/// same order.
inline void multiply_panels(std::int64_t m, std::int64_t n, PairPlace at) {
  bool const tall = m > Pairs::lines, wide = n > Pairs::lines;
  if (m % Pairs::lines == 0 && n % Pairs::lines == 0) return multiply_squares(tall, wide, at);
  alignas(64) float part[Pairs::panel * Pairs::panel];
  float* const c = at.c;
  std::int64_t const c_row = at.c_row;
  if (at.accumulate) {
    std::fill_n(part, Pairs::panel * Pairs::panel, 0.0f);
    copy_rows(m, n, c, c_row, part, Pairs::panel);
  }
  at.c = part;
  at.c_row = Pairs::panel;
  multiply_squares(tall, wide, at);
  copy_rows(m, n, part, Pairs::panel, c, c_row);
}

/// Rows of the left operand in the layout of squares.
struct LeftPairs {
  bfloat16 const* data;
  std::int64_t row, square;

  /// In place if they are full squares, aligned to cache lines and read few times; otherwise
  /// packed. (256^3: packing takes a seventh of the time. Long rows conflict in cache sets.)
  static LeftPairs of(std::int64_t m, std::int64_t n, std::int64_t k,
                      StridedMatrix<bfloat16 const> from, bfloat16* scratch) {
    bool const whole = m % Pairs::lines == 0 && k % Pairs::depth == 0;
    bool const lies_well = from.column_stride == 1 && from.row_stride % Pairs::depth == 0;
    if (whole && lies_well && (n <= 256 || from.row_stride <= 512))
      return {from.data, from.row_stride, Pairs::depth};
    pack_pairs<false>(m, k, from, scratch);
    return {scratch, Pairs::depth, Pairs::whole_lines(m) * Pairs::depth};
  }
};

/// One block: a is m x k, c m x n; `right` is packed. `scratch`: memory for a panel of a.
inline void multiply_pairs(std::int64_t m, std::int64_t n, std::int64_t k,
                           StridedMatrix<bfloat16 const> a, bfloat16 const* right,
                           StridedMatrix<float> c, bool accumulate, bfloat16* scratch) {
  for (std::int64_t i = 0; i < m; i += Pairs::panel) {
    std::int64_t const rows = std::min<std::int64_t>(Pairs::panel, m - i);
    auto const left = LeftPairs::of(rows, n, k, a.from(i, 0), scratch);
    for (std::int64_t j = 0; j < n; j += Pairs::panel)
      multiply_panels(rows, std::min<std::int64_t>(Pairs::panel, n - j),
                      {Pairs::squares(k), left.data, left.row, left.square,
                       right + Pairs::elements(j, k), &c(i, j), c.row_stride, accumulate});
  }
}

/// c = a b, or c += a b, on one thread; any strides of a and b. `scratch`: `elements(n, k)`
/// elements, 64-byte aligned.
inline void blocked_pairs(std::int64_t m, std::int64_t n, std::int64_t k,
                          StridedMatrix<bfloat16 const> a, StridedMatrix<bfloat16 const> b,
                          StridedMatrix<float> c, bool accumulate, bfloat16* scratch) {
  Tiles const tiles;
  std::int64_t const depth = PairBlocks::equal_depth(k);
  bfloat16* const right = scratch + PairBlocks::left_elements(k);
  for (std::int64_t j = 0; j < n; j += PairBlocks::columns) {
    std::int64_t const columns = (std::min)(PairBlocks::columns, n - j);
    for (std::int64_t p = 0; p < k; p += depth) {
      std::int64_t const here = (std::min)(depth, k - p);
      pack_pairs<true>(columns, here, b.from(p, j).transposed(), right);
      multiply_pairs(m, columns, here, a.from(0, p), right, c.from(0, j), accumulate || p > 0,
                     scratch);
    }
  }
}

}  // namespace tenon::internal::simd
