#include <doctest/doctest.h>

#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

namespace matmul_test {

using namespace tenon;

namespace {

/// Pseudo-random numbers, the same on every machine.
template <class R, class... I>
R numbers(int seed, I... sizes) {
  return uniform<R>(Key{static_cast<std::uint64_t>(seed)}, -1, 1, sizes...);
}

}  // namespace

TEST_CASE_TEMPLATE("matmul is the sum of products", D, Cpu, Reference) {
  for (int m : {0, 1, 2, 17, 130}) {
    for (int n : {1, 3, 33}) {
      for (int k : {0, 1, 5, 40}) {
        auto const a = numbers<Float64<"m k", D>>(1, m, k);
        auto const b = numbers<Float64<"k n", D>>(2, k, n);
        Float64<"m n", D> const c = matmul(a, b);
        double worst = 0;
        for (int i = 0; i < m; ++i) {
          for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int l = 0; l < k; ++l) sum += a.data()[i * k + l] * b.data()[l * n + j];
            worst = std::max(worst, std::abs(sum - c.data()[i * n + j]));
          }
        }
        CHECK(worst < 1e-13);
      }
    }
  }
}

TEST_CASE_TEMPLATE("vectors and batches are multiplied as in NumPy", D, Cpu, Reference) {
  auto const a = numbers<Float64<"batch m=3 k=4", D>>(3, 5);
  auto const v = numbers<Float64<"k=4", D>>(4);
  auto const w = numbers<Float64<"batch k=4 n=2", D>>(5, 5);
  Float64<"batch m=3", D> const av = matmul(a, v);
  Float64<"batch m=3 n=2", D> const aw = matmul(a, w);
  Float64<"", D> const vv = matmul(v, v);
  double norm = 0;
  for (int l = 0; l < 4; ++l) norm += v.data()[l] * v.data()[l];
  CHECK(vv.item() == doctest::Approx(norm));
  for (int b = 0; b < 5; ++b) {
    for (int i = 0; i < 3; ++i) {
      double with_v = 0, with_w = 0;
      for (int l = 0; l < 4; ++l) {
        with_v += std::as_const(a)(b, i, l) * v.data()[l];
        with_w += std::as_const(a)(b, i, l) * std::as_const(w)(b, l, 1);
      }
      CHECK(std::as_const(av)(b, i) == doctest::Approx(with_v));
      CHECK(std::as_const(aw)(b, i, 1) == doctest::Approx(with_w));
    }
  }
}

TEST_CASE_TEMPLATE("a transposed operand is a flag of the matmul", D, Cpu, Reference) {
  auto const a = numbers<Float64<"k m", D>>(6, 30, 20);
  auto const b = numbers<Float64<"n k", D>>(7, 10, 30);
  Float64<"m n", D> const c = matmul(transpose(a), transpose(b));
  Float64<"n m", D> const expected = matmul(b, a);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 10; ++j)
      CHECK(std::as_const(c)(i, j) == doctest::Approx(std::as_const(expected)(j, i)));
  }
}

TEST_CASE_TEMPLATE("einsum sums over the axes that the result does not have", D, Cpu, Reference) {
  auto const q = numbers<Float64<"b t h d", D>>(8, 2, 3, 4, 5);
  auto const k = numbers<Float64<"b s h d", D>>(9, 2, 6, 4, 5);
  Float64<"b h t s", D> const scores = einsum<"b t h d, b s h d -> b h t s">(q, k);
  double sum = 0;
  for (int d = 0; d < 5; ++d) sum += std::as_const(q)(1, 2, 3, d) * std::as_const(k)(1, 5, 3, d);
  CHECK(std::as_const(scores)(1, 3, 2, 5) == doctest::Approx(sum));
  auto const x = numbers<Float64<"i", D>>(10, 3);
  Float64<"i j", D> const outer = einsum<"i, j -> i j">(x, x);
  CHECK(std::as_const(outer)(2, 1) == doctest::Approx(x.data()[2] * x.data()[1]));
}

TEST_CASE_TEMPLATE("matmuls have gradients", D, Cpu, Reference) {
  auto const b = numbers<Float64<"k n", D>>(11, 4, 3);
  auto const batch = numbers<Float64<"batch m k", D>>(12, 2, 5, 4);
  CHECK_GRADIENT([&](auto const& a) { return sum(square(matmul(a, b))); },
                 numbers<Float64<"m k", D>>(13, 5, 4));
  CHECK_GRADIENT([&](auto const& w) { return sum(square(matmul(batch, w))); }, b);
  CHECK_GRADIENT([&](auto const& w) { return sum(square(matmul(transpose(w), transpose(b)))); },
                 numbers<Float64<"n m", D>>(14, 3, 2));
  CHECK_GRADIENT([&](auto const& x) { return sum(gelu(matmul(batch, x) + 1.0) * 0.5); },
                 numbers<Float64<"k", D>>(15, 4));
  CHECK_GRADIENT(
      [&](auto const& q) { return sum(square(einsum<"b q d, b k d -> b q k">(q, batch))); },
      numbers<Float64<"batch q k", D>>(16, 2, 3, 4));
}

TEST_CASE("run-time sizes of common axes are compared") {
  auto const a = zeros<Float32<"m k">>(2, 3);
  auto const b = zeros<Float32<"k n">>(4, 2);
  CHECK_THROWS_AS(eval(matmul(a, b)), ShapeError);
}

TEST_CASE("NaN and infinity propagate through matmuls") {
  Float32<"1 2"> const a{{0.0f, 1.0f}};
  float const infinity = std::numeric_limits<float>::infinity();
  Float32<"2 1"> const b{{infinity}, {1.0f}};
  Float32<"1 1"> const c = matmul(a, b);
  CHECK(std::isnan(std::as_const(c)(0, 0)));
}

}  // namespace matmul_test
