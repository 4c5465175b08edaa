// The text of backward kernels in docs/kernels.md.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>
#include <tenon/backend/codegen/print/gradient_source.hpp>

using namespace tenon;

TEST_CASE("contributions of rows to one element are accumulated in partial sums") {
  Tensor<float, "n k"> const x = zeros<Tensor<float, "n k">>(300, 5);
  Tensor<float, "k"> const bias = zeros<Tensor<float, "k">>(5);
  std::string const text = gradient_source<dialect::C>(relu(x + bias));
  CHECK(
      text.find(
          R"(void pull_0(f32 const* restrict adjoint, f32* restrict g0, f32* restrict g1, f32 const* restrict x0, f32 const* restrict x1, i64 chunks, i64 n_k, i64 n_n) {
  for (i64 row = 0; row < chunks * n_k; ++row) {
    i64 const v0 = row / n_k;
    i64 const v1 = row % n_k;
    f32 const v4 = x1[v1];
    f32 a10 = 0.0f;
    for (i64 r = v0; r < n_n; r += chunks) {
      f32 const v2 = adjoint[r * n_k + v1];
      f32 const v3 = x0[r * n_k + v1];
      f32 const v5 = v3 + v4;  // add "n k"
      mask const v8 = 0.0f < v5;
      f32 const v9 = v8 ? v2 : 0.0f;
      g0[r * n_k + v1] += v9;
      a10 += v9;
    }
    g1[v0 * n_k + v1] += a10;
  }
}
)") != std::string::npos);
  CHECK(text.find("void pull_0_sum_g1(f32* restrict g1, f32 const* restrict parts, i64 elements") !=
        std::string::npos);
}
