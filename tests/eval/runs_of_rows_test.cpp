// Reductions over several contiguous runs of memory, as over the first and the last axis: for any
// number, length and order of the runs each element is counted exactly once, and rounding is no
// worse than elsewhere.
// sanitize: thread

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace runs_of_rows_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

template <class T, class D>
using Block = Tensor<T, "a m d", D>;

template <class T, class D>
Block<T, D> ordinary_block(std::int64_t a, std::int64_t m, std::int64_t d) {
  auto x = zeros<Block<T, D>>(a, m, d);
  T* const to = x.mutable_data();
  for (std::int64_t i = 0; i < x.size(); ++i) to[i] = static_cast<T>((i * 7919 + 13) % 1000) / T(8);
  return x;
}

/// Lengths of runs around the size of one vector, of four, of eight and of a summation chain.
std::vector<int> lengths() {
  std::vector<int> all{1, 3};
  for (int vectors : {1, 4, 8, 13, 16}) {
    for (int more : {-1, 0, 1}) all.push_back(vectors * lane_count + more);
  }
  return all;
}

template <class T, class D>
void expect_sums(Block<T, D> const& x) {
  auto const at = x.sizes();
  auto const unit = static_cast<long double>(std::numeric_limits<T>::epsilon());
  auto const sums = eval(sum<"a d">(x));
  auto const largest = eval(max<"a d">(x)), smallest = eval(min<"a d">(-x));
  for (std::int64_t j = 0; j < at[1]; ++j) {
    long double all = 0;
    T most = 0;
    for (std::int64_t i = 0; i < at[0]; ++i) {
      for (std::int64_t k = 0; k < at[2]; ++k) {
        all += static_cast<long double>(x(i, j, k));
        most = std::max(most, x(i, j, k));
      }
    }
    CHECK(std::fabs(static_cast<long double>(sums(j)) - all) <= 8 * unit * all);
    CHECK(largest(j) == most);
    CHECK(smallest(j) == -most);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("sums over several runs agree with sums in double", D, Cpu, Reference) {
  for (int a : {1, 2, 9, 70}) {
    for (int d : lengths()) {
      CAPTURE(a);
      CAPTURE(d);
      expect_sums(ordinary_block<float, D>(a, 2, d));
      expect_sums(ordinary_block<double, D>(a, 2, d));
    }
  }
  if constexpr (std::is_same_v<D, Cpu>) {  // runs longer than a block, and many short ones
    expect_sums(ordinary_block<float, D>(3, 2, 10'007));
    expect_sums(ordinary_block<float, D>(5'003, 2, 3));
  }
}

TEST_CASE_TEMPLATE("runs along several axes are reduced in any order of the axes", D, Cpu,
                   Reference) {
  auto x = zeros<Tensor<std::int32_t, "a b c d e", D>>(3, 2, 5, 2, 19);
  auto halves = zeros<Tensor<double, "a b c d e", D>>(3, 2, 5, 2, 19);
  for (int i = 0; i < x.size(); ++i) {
    x.mutable_data()[i] = (i * 7919 + 13) % 1000;
    halves.mutable_data()[i] = x.data()[i] / 8.0;
  }
  std::int32_t all[2][2]{}, most[2][2]{};
  for (int i = 0; i < x.size(); ++i) {
    int const b = i / 190 % 2, d = i / 19 % 2;
    all[b][d] += x.data()[i];
    most[b][d] = std::max(most[b][d], x.data()[i]);
  }
  auto const sums = eval(sum<"a c e">(x));
  auto const exact = eval(sum<"a c e">(halves));  // eighths, which are not rounded
  auto const turned = eval(sum<"a c e">(rearrange<"a b c d e -> e b c d a">(halves)));
  auto const largest = eval(max<"a c e">(halves));
  for (int b = 0; b < 2; ++b) {
    for (int d = 0; d < 2; ++d) {
      CHECK(sums(b, d) == all[b][d]);
      CHECK(exact(b, d) == all[b][d] / 8.0);
      CHECK(turned(b, d) == all[b][d] / 8.0);
      CHECK(largest(b, d) == most[b][d] / 8.0);
    }
  }
}

TEST_CASE_TEMPLATE("NaN in any run, lane and tail affects only its row", D, Cpu, Reference) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (int d : {1, lane_count - 1, 8 * lane_count + 5}) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k<d; k += d> 2 * lane_count ? 7 : 1) {
        auto x = zeros<Block<double, D>>(3, 3, d);
        x(i, 1, k) = nan;
        auto const wide = eval(max<"a d">(x));
        auto const narrow = eval(min<"a d">(to<float>(x)));
        for (int j = 0; j < 3; ++j) {
          CHECK(std::isnan(wide(j)) == (j == 1));
          CHECK(std::isnan(narrow(j)) == (j == 1));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE(
    "of both zeros, 0 is the maximum and -0 the minimum, in every lane and in the tail", D, Cpu,
    Reference) {
  for (int d : {1, lane_count + 3, 8 * lane_count + 1}) {
    for (int k = 0; k<d; k += d> 2 * lane_count ? 11 : 1) {
      auto const zero = [&]<class T>(T all, T one) {
        auto x = full<Block<T, D>>(all, 2, 2, d);
        x(1, 1, k) = one;
        return x;
      };
      CHECK(!std::signbit(max<"a d">(zero(-0.0f, 0.0f))(1)));
      CHECK(!std::signbit(max<"d">(zero(-0.0, 0.0))(1, 1)));
      CHECK(std::signbit(min<"a d">(zero(0.0, -0.0))(1)));
      CHECK(std::signbit(min<"d">(zero(0.0f, -0.0f))(1, 1)));
    }
  }
}

TEST_CASE_TEMPLATE("over runs without elements, or no runs, the sum is 0", D, Cpu, Reference) {
  for (auto const& [a, d] : {std::array{0, 5}, std::array{5, 0}, std::array{0, 0}}) {
    auto const none = eval(sum<"a d">(zeros<Block<float, D>>(a, 2, d)));
    CHECK(none(0) == 0);
    CHECK(none(1) == 0);
  }
}

TEST_CASE(
    "reductions over the first and the last axis have the same bits for any number of threads") {
  int const before = threads();
  auto const x = ordinary_block<float, Cpu>(65, 130, 133);
  set_threads(1);
  auto const sums = eval(sum<"a d">(x)), spread = eval(var<"a d">(x)), most = eval(max<"a d">(x));
  auto const same = [](auto const& a, auto const& b) {
    return std::memcmp(a.data(), b.data(), 130 * sizeof(float)) == 0;
  };
  for (int number : {2, 3, 4}) {
    set_threads(number);
    CHECK(same(sums, eval(sum<"a d">(x))));
    CHECK(same(spread, eval(var<"a d">(x))));
    CHECK(same(most, eval(max<"a d">(x))));
  }
  set_threads(before);
}

TEST_CASE("the gradient of a reduction over the first and the last axis reaches every element") {
  auto const x = ordinary_block<double, Cpu>(3, 2, 2 * lane_count + 3);
  auto const g = grad([](Block<double, Cpu> const& y) { return sum(square(sum<"a d">(y))); })(x);
  auto const sums = eval(sum<"a d">(x));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2 * lane_count + 3; ++k) CHECK(g(i, j, k) == 2 * sums(j));
}

}  // namespace runs_of_rows_test
