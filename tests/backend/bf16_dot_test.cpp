#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <tenon/backend/cpu/matmul/bf16_dot_machine.hpp>
#include <tenon/backend/cpu/matmul/bf16_dot_product.hpp>

#include "bfloat_numbers.hpp"

namespace bf16_dot_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// A matrix with its own memory: row-major, column-major, or with strides along both axes.
struct Operand {
  enum Lay { rows, columns, apart };
  std::vector<bfloat16> memory;
  StridedMatrix<bfloat16 const> matrix;

  Operand(std::int64_t m, std::int64_t n, int from, Lay lay)
      : memory(spread(3 * m * n, from)), matrix{memory.data(), n, 1} {
    if (lay == columns) matrix = {memory.data(), 1, m};
    if (lay == apart) matrix = {memory.data(), 3 * n, 3};
  }
};

/// The kernel itself, on operands of every layout.
void check_kernel(std::int64_t m, std::int64_t n, std::int64_t k) {
  std::vector<bfloat16> scratch(
      static_cast<std::size_t>(tenon::internal::simd::PairBlocks::elements(n, k)) + 32);
  auto const address = reinterpret_cast<std::uintptr_t>(scratch.data());
  bfloat16* const aligned = scratch.data() + (64 - address % 64) % 64 / sizeof(bfloat16);
  for (auto const left : {Operand::rows, Operand::columns, Operand::apart}) {
    for (auto const right : {Operand::rows, Operand::columns, Operand::apart}) {
      Operand const a(m, k, 3, left), b(k, n, 8, right);
      std::vector<float> c(static_cast<std::size_t>(m * n), 0.5f);
      StridedMatrix<float> const to{c.data(), n, 1};
      tenon::internal::simd::blocked_pairs(m, n, k, a.matrix, b.matrix, to, false, aligned);
      CHECK(is_product(m, n, k, a.matrix, b.matrix, c.data(), 0));
      std::fill(c.begin(), c.end(), 0.5f);
      tenon::internal::simd::blocked_pairs(m, n, k, a.matrix, b.matrix, to, true, aligned);
      CHECK(is_product(m, n, k, a.matrix, b.matrix, c.data(), 0.5));
    }
  }
}

}  // namespace

TEST_CASE("pairwise products equal products of elements, for every layout") {
  if (!tenon::internal::simd::has_pairs || !tenon::internal::simd::multiplies_pairs()) return;
  check_kernel(1, 1, 1);
  check_kernel(16, 16, 32);
  check_kernel(32, 32, 64);
  check_kernel(48, 300, 64);
  check_kernel(33, 17, 31);
  check_kernel(15, 47, 33);
  check_kernel(64, 48, 96);
  check_kernel(5, 70, 1);
  check_kernel(40, 9, 545);
  check_kernel(3, 1030, 40);
}

TEST_CASE(
    "dot-product instructions on pairs equal products of elements, where the machine has them") {
  if (!tenon::internal::simd::PairDots::is_compiled) return;
  Operand const a(32, 96, 3, Operand::rows), b(96, 32, 8, Operand::columns);
  std::vector<bfloat16> left(32 * 96), right(32 * 96);
  tenon::internal::simd::pack_pairs<false>(32, 96, a.matrix, left.data());
  tenon::internal::simd::pack_pairs<true>(32, 96, b.matrix.transposed(), right.data());
  std::vector<float> c(32 * 32, 0.5f);
  tenon::internal::simd::PairPlace at{3, left.data(), 32, 1024, right.data(), c.data(), 32, true};
  tenon::internal::simd::multiply_squares<tenon::internal::simd::PairDots>(true, true, at);
  CHECK(is_product(32, 32, 96, a.matrix, b.matrix, c.data(), 0.5));
  at.a = a.matrix.data;
  at.a_row = 96;
  at.a_square = 32;
  at.accumulate = false;
  tenon::internal::simd::multiply_squares<tenon::internal::simd::PairDots>(true, true, at);
  CHECK(is_product(32, 32, 96, a.matrix, b.matrix, c.data(), 0));
}

TEST_CASE("an element has the same bits at every position") {
  if (!tenon::internal::simd::has_pairs || !tenon::internal::simd::multiplies_pairs()) return;
  std::int64_t const k = 1100, n = 70;
  Operand const a(50, k, 3, Operand::rows), b(k, n, 8, Operand::rows);
  SharedBuffer const scratch(
      2 * static_cast<std::size_t>(tenon::internal::simd::PairBlocks::elements(n, k)));
  std::vector<float> whole(50 * n), part(50 * n);
  tenon::internal::simd::blocked_pairs(50, n, k, a.matrix, b.matrix, {whole.data(), n, 1}, false,
                                       scratch.as<bfloat16>());
  bool same = true;
  for (std::int64_t i : {0, 7, 31, 32, 49}) {
    for (std::int64_t j : {0, 15, 16, 33, 69}) {
      tenon::internal::simd::blocked_pairs(50 - i, n - j, k, a.matrix.from(i, 0),
                                           b.matrix.from(0, j), {part.data(), n, 1}, false,
                                           scratch.as<bfloat16>());
      same = same && part[0] == whole[static_cast<std::size_t>(i * n + j)];
    }
  }
  CHECK(same);
}

TEST_CASE("the bfloat16 parts of a float sum to it") {
  auto const adds_up = [](float x) {
    SplitFloat const s(x);
    return static_cast<float>(s.part[0]) +
               (static_cast<float>(s.part[1]) + static_cast<float>(s.part[2])) ==
           x;
  };
  static_assert(adds_up(1.0f) && adds_up(-0.1f) && adds_up(3.4028235e38f) && adds_up(1e-20f));
  static_assert(adds_up(16777215.0f) && adds_up(std::numeric_limits<float>::infinity()));
  static_assert(SplitFloat(std::numeric_limits<float>::infinity()).part[1].bits == 0);
  CHECK(std::isnan(number(SplitFloat(std::nanf("1")).part[0])));
}

}  // namespace bf16_dot_test
