// The attention kernels in CUDA C and in Metal, for work groups: compiled as on such machines, and
// run on the host.

#include "attention_cases.hpp"
#include "cuda_text.hpp"
#include "metal_text.hpp"

#include <tenon/backend/codegen/attention/kernels.hpp>

namespace shim_attention_test {

using namespace tenon;
using namespace tenon::internal;
using namespace attention_cases;
using tenon::internal::codegen::AttentionPart;

namespace {

constexpr std::array parts{AttentionPart::values, AttentionPart::queries, AttentionPart::keys};

/// All kernels of a case, and their text. They are emitted for `rows` rows, which determine the
/// tiling, and launched for the rows of the case.
template <class T>
struct Kernels {
  std::vector<tenon::internal::codegen::Kernel> all;
  std::string text;

  Kernels(tenon::codegen::Dialect const& dialect, Numbers numbers, std::int64_t rows) {
    tenon::internal::codegen::Functions functions(dialect, true);
    std::int64_t const own_rows = std::exchange(numbers.rows, rows);
    for (AttentionPart const part : parts) {
      all.push_back(tenon::internal::codegen::attention_part<T>(functions, part, numbers));
      all.back().work.groups = all.back().work.groups / rows * own_rows;
    }
    all.push_back(tenon::internal::codegen::attention_deltas<T>(functions));
    text = std::string(dialect.prelude) + functions.text();
    for (tenon::internal::codegen::Kernel const& kernel : all) text += kernel.text + "\n";
  }
};

/// Their results, computed by a host library. (Adjoints are added to zeros.)
template <class T, class Library>
Result run(Kernels<T> const& kernels, Library const& library, Case const& c) {
  using R = Computed<T>;
  Numbers n = c.numbers;
  std::vector<T> q = as<T>(c.q), k = as<T>(c.k), v = as<T>(c.v), out(q.size());
  std::vector<R> log_sums(c.q.size()), deltas(c.q.size()), adjoint = as<R>(c.adjoint);
  std::vector<R> of_q(c.q.size()), of_k(c.k.size()), of_v(c.k.size());
  std::int64_t adds = 1, count = n.rows * n.queries;
  library.run(kernels.all[0], {out.data(), log_sums.data(), q.data(), k.data(), v.data(), &n.rows,
                               &n.heads, &n.queries, &n.keys});
  library.run(kernels.all[3], {deltas.data(), out.data(), adjoint.data(), &count, &n.width});
  library.run(kernels.all[1],
              {of_q.data(), q.data(), k.data(), v.data(), adjoint.data(), log_sums.data(),
               deltas.data(), &n.rows, &n.heads, &n.queries, &n.keys, &adds});
  library.run(kernels.all[2], {of_k.data(), of_v.data(), q.data(), k.data(), v.data(),
                               adjoint.data(), log_sums.data(), deltas.data(), &n.rows, &n.heads,
                               &n.queries, &n.keys, &adds, &adds});
  return {as_doubles(out), as_doubles(of_q), as_doubles(of_k), as_doubles(of_v)};
}

template <class T, class Library>
void expect_as_loops(tenon::codegen::Dialect const& dialect, Numbers const& numbers,
                     std::int64_t rows) {
  Case const c = case_of(numbers);
  Kernels<T> const kernels(dialect, numbers, rows);
  expect_near(run(kernels, Library(kernels.text), c), by_loops(c), error_of<T>());
}

/// The bytes of shared memory that a kernel requests.
std::int64_t shared_bytes(tenon::internal::codegen::AttentionTiling const& tiling, int bytes,
                          bool has_parts) {
  std::int64_t const columns = tiling.columns + 1;
  std::int64_t const right =
      std::max(tiling.depth * columns, std::int64_t{tiling.gathered} * (tiling.slice + 1));
  return bytes * (tiling.depth * (tiling.rows + 1) + right + tiling.rows * columns +
                  (has_parts ? tiling.rows * tiling.across : 0));
}

}  // namespace

TEST_CASE("attention in CUDA C: by NVRTC for devices, by the shim on the host") {
  if (!cuda_text::is_tested) return;
  auto const& dialect = tenon::dialect::CudaC::text;
  Numbers const causal = numbers_of(1, 2, 70, 70, 20, true);
  cuda_text::expect_compiles(Kernels<float>(dialect, causal, 128).text);
  cuda_text::expect_compiles(Kernels<bfloat16>(dialect, numbers_of(1, 1, 9, 9, 128, true), 1).text);
  expect_as_loops<float, cuda_text::Library>(dialect, causal, 128);
  expect_as_loops<double, cuda_text::Library>(dialect, numbers_of(1, 2, 5, 33, 137, false), 2);
}

TEST_CASE("attention in Metal: with its address spaces, and by the shim on the host") {
  if (!cuda_text::is_tested) return;
  auto const& dialect = tenon::dialect::MetalC::text;
  Numbers const numbers = numbers_of(1, 1, 40, 40, 17, true);
  metal_text::expect_compiles(Kernels<float>(dialect, numbers, 128).text);
  metal_text::expect_compiles(Kernels<float16>(dialect, numbers, 1).text);
  expect_as_loops<float16, metal_text::Library>(dialect, numbers, 1);
  expect_as_loops<bfloat16, metal_text::Library>(dialect, numbers, 1);
}

TEST_CASE(
    "by work groups, masked positions influence neither the result nor the gradient of a query") {
  if (!cuda_text::is_tested) return;
  Numbers const n = numbers_of(1, 2, 70, 70, 20, true);
  Kernels<float> const kernels(tenon::dialect::CudaC::text, n, 128);
  cuda_text::Library const library(kernels.text);
  Result const expected = before_last(n, by_loops(with_last(case_of(n), 1, 1)));
  for (auto const& [key, value] : hidden_numbers) {
    Result const got = run(kernels, library, with_last(case_of(n), key, value));
    expect_near(before_last(n, got), expected, error_of<float>());
    if (std::isnan(value)) CHECK(std::isnan(got.out.back()));
  }
}

TEST_CASE("work groups of attention need at most 32 KiB of shared memory") {
  for (int const width : {1, 16, 64, 100, 128, 256, 1000})
    for (int const bytes : {4, 8})
      for (AttentionPart const part : parts) {
        auto const tiling = tenon::internal::codegen::tiling_of(
            part, numbers_of(64, 16, 999, 999, width, true), bytes, false);
        CHECK(shared_bytes(tiling, bytes, part == AttentionPart::values) <= 32768);
      }
}

}  // namespace shim_attention_test
