#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/backend/cpu/matmul/bf16_dot_product.hpp>
#include <tenon/backend/cpu/matmul/products.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/contract/product.hpp>

/// Matmuls of unconverted bfloat16 tensors: the selection, and the partition among threads.
namespace tenon::internal {

/// Whether these are faster than copies as floats, by sizes. (Measured: nearly empty squares, and
/// results that take long to store, are faster as floats: 4 x 4 x 1024 by tiles takes 1.5 times as
/// long, 16 x 16 x 512 a third. Dot products also process empty steps.)
inline bool pairs_are_faster(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t least = simd::Tiles::is_compiled ? 8 : simd::Pairs::depth;
  return k >= least && (m > 8 || n > 8);
}

TENON_RUNTIME bool CpuProducts<bfloat16>::takes(MatrixProduct<bfloat16> const& p) {
  return pairs_are_faster(p.m, p.n, p.k) && simd::multiplies_pairs();
}

/// Large ones are split by rows, with the right operand packed once for all threads; small ones are
/// one task each.
TENON_RUNTIME ProductCut CpuProducts<bfloat16>::cut(ProductPlan<bfloat16> const& plan) {
  constexpr std::int64_t large = std::int64_t{1} << 24, alone = std::int64_t{1} << 22;
  std::int64_t const work = plan.matrix.work();
  bool const packed = work > large || (work > alone && plan.batch.count() < 4);
  return {packed ? 32 : 512, simd::PairBlocks::columns, packed};
}

TENON_RUNTIME std::size_t CpuProducts<bfloat16>::scratch(MatrixProduct<bfloat16> const& p) {
  return static_cast<std::size_t>(simd::PairBlocks::elements(p.n, p.k)) * sizeof(bfloat16);
}

TENON_RUNTIME void CpuProducts<bfloat16>::multiply(MatrixProduct<bfloat16> const& p,
                                                   std::byte* scratch) {
  simd::blocked_pairs(p.m, p.n, p.k, {p.a, p.a_row, p.a_column}, {p.b, p.b_row, p.b_column},
                      {p.c, p.c_row, 1}, p.accumulate, reinterpret_cast<bfloat16*>(scratch));
}

/// Packs the right operand of one block, and multiplies with it, on all threads.
struct PairBlock {
  MatrixProduct<bfloat16> const& product;
  ProductCut const& cut;
  bfloat16* packed;

  /// Some steps of all columns at a time, or, for an operand with contiguous terms, some columns.
  void pack() const {
    constexpr std::int64_t at_once = 4 * simd::Pairs::panel;
    bool const across = product.b_row == 1;
    std::int64_t const all = across ? product.n : product.k;
    parallel_for((all + at_once - 1) / at_once, [&](std::int64_t chunk) {
      std::int64_t const first = chunk * at_once, last = (std::min)(all, first + at_once);
      if (across) pack_columns(first, last);
      else
        simd::pack_pairs<true>(product.n, product.k, first, last,
                               {product.b, product.b_column, product.b_row}, packed);
    });
  }

  void multiply(AfterPart<bfloat16> const& after) const {
    auto const bytes = static_cast<std::size_t>(simd::PairBlocks::left_elements(product.k)) * 2;
    parallel_for((product.m + cut.rows - 1) / cut.rows, bytes,
                 [&](std::int64_t chunk, std::byte* scratch) {
                   auto const part = product.rows(chunk * cut.rows, cut.rows);
                   multiply_part(part, reinterpret_cast<bfloat16*>(scratch));
                   after(part, cut.columns);
                 });
  }

 private:
  void pack_columns(std::int64_t first, std::int64_t last) const {
    MatrixProduct<bfloat16> const p = product.columns(first, last - first);
    simd::pack_pairs<true>(p.n, p.k, {p.b, p.b_column, p.b_row},
                           packed + simd::Pairs::elements(first, p.k));
  }

  void multiply_part(MatrixProduct<bfloat16> const& p, bfloat16* scratch) const {
    simd::Tiles const tiles;
    simd::multiply_pairs(p.m, p.n, p.k, {p.a, p.a_row, p.a_column}, packed, {p.c, p.c_row, 1},
                         p.accumulate, scratch);
  }
};

/// One of a plan's independent products, some of its columns, all steps of its sums.
inline void multiply_pair_columns(ProductPlan<bfloat16> const& plan, std::int64_t number,
                                  std::int64_t first, bfloat16* packed,
                                  AfterPart<bfloat16> const& after) {
  std::int64_t const depth = simd::PairBlocks::equal_depth(plan.matrix.k);
  for (std::int64_t sum = 0; sum < plan.sums(); ++sum) {
    auto const whole = plan.whole(number, sum).columns(first, plan.cut.columns);
    for (std::int64_t p = 0; p < whole.k; p += depth) {
      bool const last = sum + 1 == plan.sums() && p + depth >= whole.k;
      auto const part = whole.steps(p, depth);
      PairBlock const block{part, plan.cut, packed};
      block.pack();
      block.multiply(last ? after : AfterPart<bfloat16>());
    }
  }
}

/// A plan block by block of the right operand.
TENON_RUNTIME void CpuProducts<bfloat16>::multiply_packed(ProductPlan<bfloat16> const& plan,
                                                          AfterPart<bfloat16> const& after) {
  auto const& p = plan.matrix;
  SharedBuffer const packed(scratch(p));
  for (std::int64_t number = 0; number < plan.batch.count(); ++number)
    for (std::int64_t j = 0; j < p.n; j += plan.cut.columns)
      multiply_pair_columns(plan, number, j, packed.as<bfloat16>(), after);
}

}  // namespace tenon::internal
