#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/backend/cpu/matmul/bf16_dot_machine.hpp>
#include <tenon/backend/cpu/matmul/bf16_dot_pack.hpp>

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
