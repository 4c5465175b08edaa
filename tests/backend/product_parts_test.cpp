// The result of a matmul does not depend on the partitioning into tiles, panels, depths and
// threads.
// sanitize: thread
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace product_parts_test {

using namespace tenon;

namespace {

struct ProductSize {
  std::int64_t m, n, k;
};

/// One more and one less than tiles of 4, 8 and 14 rows, one to three registers of columns, the
/// parts that threads compute, and the depth that fits the caches.
constexpr ProductSize cuts[] = {
    {1, 1, 5},     {1, 49, 33},     {49, 1, 33},     {2, 2, 2},     {3, 15, 0},     {5, 17, 1},
    {7, 31, 2},    {8, 32, 63},     {9, 33, 64},     {15, 47, 65},  {16, 48, 7},    {17, 49, 255},
    {129, 1, 70},  {130, 2, 2},     {129, 33, 801},  {385, 3, 70},  {129, 129, 3},  {128, 64, 257},
    {257, 5, 127}, {3, 385, 129},   {2, 513, 100},   {1, 1025, 40}, {1025, 1, 40},  {4, 769, 9},
    {9, 17, 511},  {12, 20, 513},   {9, 7, 385},     {31, 50, 769}, {65, 97, 1025}, {257, 513, 11},
    {6, 24, 2049}, {130, 1201, 31}, {40, 1168, 100},
};

template <class T>
T number(std::int64_t i) {
  auto const part = [](std::int64_t j) { return static_cast<double>(j * 7919 % 1009) / 512 - 1; };
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(part(i));
  else return T(number<typename T::value_type>(i), number<typename T::value_type>(i + 500));
}

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
struct Parts {
  using Result = Tensor<T, "m n">;

  /// All rows of the left matrix are equal, and all columns of the right one.
  explicit Parts(ProductSize const& s)
      : size(s),
        a(zeros<Tensor<T, "m k">>(s.m, s.k)),
        b(zeros<Tensor<T, "k n">>(s.k, s.n)),
        a_columns(zeros<Tensor<T, "k m">>(s.k, s.m)),
        b_columns(zeros<Tensor<T, "n k">>(s.n, s.k)) {
    for (std::int64_t p = 0; p < s.k; ++p) {
      for (std::int64_t i = 0; i < s.m; ++i)
        a.mutable_data()[i * s.k + p] = a_columns.mutable_data()[p * s.m + i] = number<T>(p);
      for (std::int64_t j = 0; j < s.n; ++j)
        b.mutable_data()[p * s.n + j] = b_columns.mutable_data()[j * s.k + p] = number<T>(3 * p);
      sum += std::complex<double>(number<T>(p)) * std::complex<double>(number<T>(3 * p));
    }
  }

  /// The number of elements that differ in any bit from the first, which is near the sum.
  std::int64_t others(Result const& c) const {
    double const unit = std::numeric_limits<decltype(std::abs(T()))>::epsilon();
    auto const error = std::abs(std::complex<double>(c.data()[0]) - sum);
    std::int64_t count = error <= 4 * unit * static_cast<double>(size.k + 1) ? 0 : 1;
    for (std::int64_t i = 1; i < c.size(); ++i) count += !same_bits(c.data()[0], c.data()[i]);
    return count;
  }

  Result plain() const { return matmul(a, b); }
  Result left_transposed() const { return matmul(rearrange<"k m -> m k">(a_columns), b); }
  Result right_transposed() const { return matmul(a, rearrange<"n k -> k n">(b_columns)); }
  Result with_epilogue() const { return matmul(a, b) + zeros<Tensor<T, "n">>(size.n); }
  Result right_with_epilogue() const {
    return matmul(a, rearrange<"n k -> k n">(b_columns)) + zeros<Tensor<T, "n">>(size.n);
  }

  ProductSize size;
  Tensor<T, "m k"> a;
  Tensor<T, "k n"> b;
  Tensor<T, "k m"> a_columns;
  Tensor<T, "n k"> b_columns;
  std::complex<double> sum = 0;
};

}  // namespace

TEST_CASE_TEMPLATE("an element has the same bits at every position", T, float, double,
                   std::complex<float>) {
  int const before = threads();
  for (ProductSize const& size : cuts) {
    Parts<T> const parts(size);
    INFO(size.m, " x ", size.n, " x ", size.k);
    for (int const count : {1, 2, 3}) {
      set_threads(count);
      CHECK(parts.others(parts.plain()) == 0);
    }
    CHECK(parts.others(parts.left_transposed()) == 0);
    CHECK(parts.others(parts.right_transposed()) == 0);
    CHECK(parts.others(parts.with_epilogue()) == 0);
    CHECK(parts.others(parts.right_with_epilogue()) == 0);
  }
  set_threads(before);
}

TEST_CASE("the same matmul in a batch has the same bits") {
  for (ProductSize const& size : cuts) {
    if (size.m * size.n * size.k > 100'000) continue;
    Parts<float> const parts(size);
    Float32<"m n"> const one = parts.plain();
    auto const a = eval(repeat<"m k -> b=5 m k">(parts.a));
    auto const b = eval(repeat<"k n -> b=5 k n">(parts.b));
    Float32<"b m n"> const all = matmul(a, b);
    std::int64_t others = 0;
    for (std::int64_t i = 0; i < all.size(); ++i)
      others += !same_bits(all.data()[i], one.data()[i % one.size()]);
    INFO(size.m, " x ", size.n, " x ", size.k);
    CHECK(others == 0);
  }
}

TEST_CASE("NaN and infinities affect only their rows and columns") {
  float const inf = std::numeric_limits<float>::infinity();
  for (ProductSize const& size : cuts) {
    if (size.m * size.n * size.k == 0) continue;
    Parts<float> parts(size);
    std::int64_t const row = size.m - 1, column = size.n - 1, p = size.k - 1;
    parts.a.mutable_data()[row * size.k + p] = std::numeric_limits<float>::quiet_NaN();
    parts.b.mutable_data()[p * size.n + column] = inf;
    Float32<"m n"> const c = parts.plain();
    int wrong = 0;
    for (std::int64_t i = 0; i < size.m; ++i) {
      for (std::int64_t j = 0; j < size.n; ++j) {
        float const x = c.data()[i * size.n + j], a = parts.a.data()[i * size.k + p];
        if (i == row || (j == column && a == 0)) wrong += !std::isnan(x);
        else if (j == column) wrong += x != (a > 0 ? inf : -inf);
        else wrong += !std::isfinite(x);
      }
    }
    INFO(size.m, " x ", size.n, " x ", size.k);
    CHECK(wrong == 0);
  }
}

}  // namespace product_parts_test
