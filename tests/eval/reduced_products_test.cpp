// Reductions of a matmul, and of the maps that follow it, in the kernel of the matmul.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <tenon/eval/print_graph.hpp>
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

namespace reduced_products_test {

using namespace tenon;

namespace {

template <class F>
std::int64_t kernels(F const& f) {
  std::int64_t const before = kernels_run;
  f();
  return kernels_run - before;
}

template <class T, class D = Cpu>
struct Data {
  Of<T, "n k", D> x;
  Of<T, "k m", D> w;
  Of<T, "m", D> bias;
};

template <class T, class D = Cpu>
Data<T, D> data(std::int64_t n, std::int64_t k, std::int64_t m) {
  Data<T, D> made{zeros<Of<T, "n k", D>>(n, k), zeros<Of<T, "k m", D>>(k, m),
                  zeros<Of<T, "m", D>>(m)};
  int at = 0;
  tenon::tree::for_each(
      [&](auto& leaf) {
        for (int i = 0; i < leaf.size(); ++i)
          leaf.mutable_data()[i] = static_cast<T>((++at * 37 % 101 - 50) / 64.0);
      },
      made);
  return made;
}

/// The elements of relu(x w + b), in double. (By pointers, as this is not optimised.)
template <class T>
std::vector<double> expected(Data<T> const& d) {
  std::int64_t const n = size<"n">(d.x), k = size<"k">(d.x), m = size<"m">(d.bias);
  std::vector<double> all(std::size_t(n * m));
  T const* x = d.x.data();
  double* row = all.data();
  for (std::int64_t i = 0; i < n; ++i, row += m) {
    std::copy_n(d.bias.data(), m, row);
    T const* w = d.w.data();
    for (std::int64_t l = 0; l < k; ++l, ++x) {
      double const factor = double(*x);
      for (double* to = row; to != row + m; ++to, ++w) *to += factor * double(*w);
    }
    for (double* to = row; to != row + m; ++to)
      if (*to <= 0) *to = 0;
  }
  return all;
}

template <class T>
void check(std::int64_t n, std::int64_t k, std::int64_t m) {
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(m);
  auto const d = data<T>(n, k, m);
  auto const all = expected(d);
  auto const hidden = [&] { return relu(matmul(d.x, d.w) + d.bias); };
  Of<T, "n"> const rows = sum<"m">(hidden());
  Of<T, ""> const total = sum(hidden());
  Of<T, "n"> const largest = m > 0 ? Of<T, "n">(max<"m">(hidden())) : rows;
  double const tolerance = (sizeof(T) == 4 ? 1e-5 : 1e-13) * double(k * m + 1);
  double whole = 0;
  for (int i = 0; i < n; ++i) {
    double row = 0, most = 0;
    for (int j = 0; j < m; ++j) {
      row += all[std::size_t(i * m + j)];
      most = (std::max)(most, all[std::size_t(i * m + j)]);
    }
    whole += row;
    CHECK(std::abs(rows(i) - row) <= tolerance);
    if (m > 0) CHECK(std::abs(largest(i) - most) <= tolerance);
  }
  CHECK(std::abs(total.item() - whole) <= tolerance * double(n + 1));
}

template <class T>
bool same(Of<T, "n"> const& a, Of<T, "n"> const& b) {
  return std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("a sum, a maximum and a mean of a matmul are one kernel") {
  auto const d = data<float>(40, 24, 50);
  CHECK(kernels([&] { (void)eval(sum(relu(matmul(d.x, d.w) + d.bias))); }) == 1);
  CHECK(kernels([&] { (void)eval(mean(relu(matmul(d.x, d.w) + d.bias))); }) == 1);
  CHECK(kernels([&] { (void)eval(sum<"m">(matmul(d.x, d.w))); }) == 1);
  CHECK(kernels([&] { (void)eval(mean<"m">(relu(matmul(d.x, d.w)))); }) == 1);
  CHECK(kernels([&] { (void)eval(max<"m">(matmul(d.x, d.w) + d.bias)); }) == 1);
  CHECK(kernels([&] { (void)eval(sum<"m">(matmul(d.x, d.w), keep)); }) == 1);
}

TEST_CASE("the plan of a reduced matmul is one kernel") {
  auto const d = data<float>(4, 5, 6);
  std::string const text = tenon::internal::graph_text(sum(relu(matmul(d.x, d.w) + d.bias)));
  CHECK(text.find("kernel 0: product with epilogue") != text.npos);
  CHECK(text.find("sum") != text.npos);
  CHECK(text.find("kernel 1") == text.npos);
}

TEST_CASE("reductions of a matmul at odd sizes, in double and float") {
  for (std::int64_t const n : {0, 1, 3, 33, 130})
    for (std::int64_t const k : {0, 1, 7, 40})
      for (std::int64_t const m : {0, 1, 5, 17, 100}) check<float>(n, k, m), check<double>(n, k, m);
  // Several slices: more than 512 rows of at least a kilobyte.
  check<float>(700, 3, 2000);
  check<double>(600, 40, 300);
  // In each, a packed matrix of several depths, of at most 512, and of several blocks of columns.
  check<float>(560, 520, 400);
}

TEST_CASE("a reduced matmul of several batches") {
  auto const x = normal<Float64<"b=3 n=40 k=6">>(Key{1});
  auto const w = normal<Float64<"b=3 k=6 m=50">>(Key{2});
  auto const weight = normal<Float64<"k=6 m=50">>(Key{3});
  Float64<"b=3 n=40 m=50"> const each = matmul(x, w), shared = matmul(x, weight);
  Float64<"b=3 n=40"> const of_each = sum<"m">(matmul(x, w)),
                            of_shared = sum<"m">(matmul(x, weight));
  Float64<"b=3"> const parts = mean<"n m">(matmul(x, w));
  for (int b = 0; b < 3; ++b) {
    double part = 0;
    for (int n = 0; n < 40; ++n) {
      double first = 0, second = 0;
      for (int m = 0; m < 50; ++m) first += each(b, n, m), second += shared(b, n, m);
      part += first;
      CHECK(std::abs(of_each(b, n) - first) < 1e-12);
      CHECK(std::abs(of_shared(b, n) - second) < 1e-12);
    }
    CHECK(std::abs(parts(b) - part / 2000) < 1e-12);
  }
}

TEST_CASE("NaN and infinities pass a reduced matmul") {
  auto d = data<float>(5, 3, 20);
  float const infinity = std::numeric_limits<float>::infinity();
  d.x(1, 2) = infinity, d.x(3, 0) = std::nanf("");
  Float32<"n"> const rows = sum<"m">(abs(matmul(d.x, d.w)));
  CHECK(std::isfinite(rows(0)));
  CHECK(!std::isfinite(rows(1)));
  CHECK(std::isnan(rows(3)));
  Float32<"n"> const largest = max<"m">(matmul(d.x, d.w));
  CHECK(std::isnan(largest(3)));
}

TEST_CASE("threads do not change the bits of a reduced matmul") {
  int const before = threads();
  auto const d = data<float>(1000, 64, 300);
  auto const run = [&] { return Float32<"n">(sum<"m">(relu(matmul(d.x, d.w) + d.bias))); };
  auto const all = [&] { return Float32<"">(sum(relu(matmul(d.x, d.w) + d.bias))).item(); };
  set_threads(1);
  auto const rows = run();
  float const total = all();
  set_threads(3);
  CHECK(same<float>(run(), rows));
  CHECK(all() == total);
  set_threads(before);
}

TEST_CASE("the gradient of a reduced matmul") {
  auto const d = data<double>(7, 5, 9);
  auto const loss = [&](auto const& p) {
    return sum(square(mean<"m">(relu(matmul(p.x, p.w) + p.bias)))) +
           sum(tanh(matmul(p.x, p.w) + p.bias));
  };
  auto const apart = [&](auto const& p) {
    auto const a = eval(matmul(p.x, p.w)), b = eval(relu(a + p.bias));
    auto const c = eval(tanh(a + p.bias));
    return sum(square(mean<"m">(b))) + sum(c);
  };
  auto const got = grad(loss)(d), want = grad(apart)(d);
  tenon::tree::zip(
      [](auto const& a, auto const& b) {
        for (int i = 0; i < a.size(); ++i) CHECK(std::abs(a.data()[i] - b.data()[i]) < 1e-12);
      },
      got, want);
  auto const value = [&](Data<double> const& p) { return sum(relu(matmul(p.x, p.w) + p.bias)); };
  auto const [total, slope] = value_and_grad(value)(d);
  CHECK(std::abs(total.item() - eval(value(d)).item()) < 1e-12);
  CHECK(std::abs(sum(slope.bias).item()) > 0);
}

TEST_CASE("the reference backend reduces a matmul after it") {
  auto const d = data<double, Reference>(3, 4, 5);
  CHECK(kernels([&] { (void)eval(sum(relu(matmul(d.x, d.w) + d.bias))); }) == 2);
}

}  // namespace reduced_products_test
