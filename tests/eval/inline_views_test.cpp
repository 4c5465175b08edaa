// Small matmuls and views of every dtype and size, compared with plain loops. This file is compiled
// with -O3 (see tests/CMakeLists.txt): elements are extracted from registers by shuffles, some of
// which g++ 12 compiles incorrectly at -O3 only.
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstdint>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

using namespace tenon;
using namespace tenon::internal;

namespace {

/// Small numbers, so that every sum is exact in every dtype; adjacent elements differ.
template <TensorType E>
[[gnu::noinline]] E numbers(int shift) {
  E x{};
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.own_memory()[i] =
        static_cast<typename E::value_type>(static_cast<float>((i * 5 + shift) % 7 % 4));
  return x;
}

/// A value as a number that can be compared and added.
template <class T>
auto number(T x) {
  if constexpr (ComplexType<T>) return x;
  else return static_cast<double>(x);
}

/// True if every element (i, j) of the matrix equals `f(i, j)`.
template <TensorType E, class F>
[[gnu::noinline]] bool is_everywhere(E const& got, F const& f) {
  for (int i = 0; i < got.sizes()[0]; ++i)
    for (int j = 0; j < got.sizes()[1]; ++j)
      if (number(got(i, j)) != f(i, j)) return false;
  return true;
}

/// n x n elements, and one row of n.
template <class T, Spec S, Spec L>
struct Moves {
  using Matrix = Tensor<T, S>;
  static constexpr int n = static_cast<int>(Matrix::shape[0].size);
  Matrix a = numbers<Matrix>(1), b = numbers<Matrix>(3);
  Tensor<T, L> row = numbers<Tensor<T, L>>(2);

  auto at(int i, int j) const { return number(a(i, j)); }

  /// A slice of the transposed matrix, and a formula of the transpose and a broadcast row.
  void check_order() const {
    constexpr int m = n > 1 ? n - 1 : 1;
    auto const part = slice<0, n - m, n>(slice<1, 0, m>(transpose(a)));
    CHECK(is_everywhere(eval(part), [&](int i, int j) { return at(j, i + n - m); }));
    if constexpr (NumType<T>) {
      auto const rows = eval(a + transpose(a) * row);
      CHECK(
          is_everywhere(rows, [&](int i, int j) { return at(i, j) + at(j, i) * number(row(j)); }));
    }
  }
  void check_formulas() const {
    auto const columns = eval(transpose(a + row) - b);
    CHECK(is_everywhere(columns,
                        [&](int i, int j) { return at(j, i) + number(row(i)) - number(b(i, j)); }));
    auto const most = eval(max(transpose(a), row));
    CHECK(is_everywhere(most, [&](int i, int j) { return std::max(at(j, i), number(row(j))); }));
    auto const turned = eval(where(transpose(a) == b, b, transpose(a)));
    CHECK(is_everywhere(turned, [&](int i, int j) { return at(j, i); }));
  }
  void check_products() const {
    auto const sum_over = [](auto const& term) {
      auto sum = term(0);
      for (int k = 1; k < n; ++k) sum += term(k);
      return sum;
    };
    auto const other = [&](int i, int j) { return number(b(i, j)); };
    CHECK(is_everywhere(eval(matmul(a, b)), [&](int i, int j) {
      return sum_over([&](int k) { return at(i, k) * other(k, j); });
    }));
    CHECK(is_everywhere(eval(matmul(transpose(a), b)), [&](int i, int j) {
      return sum_over([&](int k) { return at(k, i) * other(k, j); });
    }));
    CHECK(is_everywhere(eval(matmul(a, transpose(b))), [&](int i, int j) {
      return sum_over([&](int k) { return at(i, k) * other(j, k); });
    }));
  }
};

template <class T, class F>
void for_some_sizes(F const& f) {
  f(Moves<T, "3 3", "3">()), f(Moves<T, "4 4", "4">()), f(Moves<T, "9 9", "9">());
}
template <class T, class F>
void for_each_size(F const& f) {
  for_some_sizes<T>(f);
#if !defined(TENON_SOME_SIZES)  // smaller than a register, equal, and larger; no other cases exist
  f(Moves<T, "1 1", "1">()), f(Moves<T, "2 2", "2">()), f(Moves<T, "5 5", "5">());
  f(Moves<T, "6 6", "6">()), f(Moves<T, "7 7", "7">()), f(Moves<T, "8 8", "8">());
#endif
}

}  // namespace

TEST_CASE_TEMPLATE("views of inline tensors read the elements that they index", T, float, double,
                   std::int8_t) {
  for_each_size<T>([](auto const& moves) { moves.check_order(); });
}

TEST_CASE_TEMPLATE("views of inline tensors in other dtypes", T, float16, std::int32_t,
                   std::int64_t, bool, std::complex<float>) {
  for_some_sizes<T>([](auto const& moves) { moves.check_order(); });
}

TEST_CASE_TEMPLATE("formulas over views of inline tensors equal the formulas of the elements", T,
                   float, double) {
  for_each_size<T>([](auto const& moves) { moves.check_formulas(); });
}

TEST_CASE_TEMPLATE("small matmuls are the sums of their terms", T, float, double) {
  for_each_size<T>([](auto const& moves) { moves.check_products(); });
}
