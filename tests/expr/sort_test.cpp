#include <algorithm>
#include <numeric>

#include "counting.hpp"

namespace sort_test {

using namespace tenon::internal;

using namespace counting;

namespace {

/// The stable order of a row's numbers, by the definition: NaN is the largest.
std::vector<int> order_of_line(std::vector<double> const& line, bool is_descending) {
  std::vector<int> order(line.size());
  std::iota(order.begin(), order.end(), 0);
  auto const less = [](double a, double b) { return a < b || (b != b && a == a); };
  std::ranges::stable_sort(order, [&](int i, int j) {
    double const a = line[static_cast<std::size_t>(i)], b = line[static_cast<std::size_t>(j)];
    return is_descending ? less(b, a) : less(a, b);
  });
  return order;
}

/// Compares indices with the reference along an axis of a tensor with three axes.
template <class E, class P>
bool sorts(E const& x, P const& places, int axis, bool is_descending) {
  std::int64_t const n = at(x.sizes(), axis), kept = at(places.sizes(), axis);
  std::int64_t inner = 1;
  for (int i = axis + 1; i < 3; ++i) inner *= at(x.sizes(), i);
  for (std::int64_t line = 0; line < (n == 0 ? 0 : x.size() / n); ++line) {
    std::int64_t const outer = line / inner, first = line % inner;
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < n; ++i)
      numbers.push_back(static_cast<double>(x.data()[(outer * n + i) * inner + first]));
    auto const order = order_of_line(numbers, is_descending);
    for (std::int64_t i = 0; i < kept; ++i) {
      if (places.data()[(outer * kept + i) * inner + first] != order[static_cast<std::size_t>(i)])
        return false;
    }
  }
  return true;
}

/// Numbers with many ties, NaN, infinities and both zeros.
template <class T, class D>
Tensor<T, "a b c", D> mixed(std::int64_t a, std::int64_t b, std::int64_t c) {
  auto x = Tensor<T, "a b c", D>::uninitialised({a, b, c, 1, 1, 1, 1, 1});
  for (std::int64_t i = 0; i < x.size(); ++i) {
    T& to = x.mutable_data()[i];
    to = static_cast<T>(i * 37 % 11 - 5);
    if constexpr (std::is_floating_point_v<T>) {
      using Limits = std::numeric_limits<T>;
      if (i % 13 == 4) to = Limits::quiet_NaN();
      if (i % 17 == 3) to = i % 2 == 0 ? Limits::infinity() : -Limits::infinity();
      if (to == 0 && i % 2 == 0) to = -to;
    }
  }
  return x;
}

template <class T, class D>
void check_orders() {
  for (Sizes const n : {Sizes{30, 7, 300}, Sizes{1, 1, 1}, Sizes{40, 2, 5}, Sizes{2, 0, 3}}) {
    auto const x = mixed<T, D>(n[0], n[1], n[2]);
    CHECK(sorts(x, argsort<"c">(x), 2, false));
    CHECK(sorts(x, argsort<1>(x, descending), 1, true));
    CHECK(sorts(x, argsort<"a">(x), 0, false));
    if (n[2] >= 3) CHECK(sorts(x, topk<"c", 3>(x).indices, 2, true));
  }
}

}  // namespace

TEST_CASE("argsort and topk give the indices of a stable sort") {
  check_orders<double, Cpu>();
  check_orders<std::int8_t, Cpu>();
  check_orders<float, Reference>();
}

TEST_CASE_TEMPLATE("sort passes adjoints back to the original positions", D, Cpu, Reference) {
  Float64<"row=2 n=3", D> const x{{3, 1, 2}, {5, 5, 4}}, dy{{1, 10, 100}, {1, 10, 100}};
  auto const sorted = sort<"n">(x, descending);
  static_assert(std::same_as<decltype(sorted), Float64<"row=2 n=3", D> const>);
  CHECK(elements(sorted) == std::vector<double>{3, 2, 1, 5, 5, 4});
  auto const derivative = grad([&](auto const& m) { return sum(dy * sort<"n">(m)); })(x);
  CHECK(elements(derivative) == std::vector<double>{100, 1, 10, 10, 100, 1});
  auto const of_columns = grad([&](auto const& m) { return sum(dy * sort<"row">(m)); })(x);
  CHECK(elements(of_columns) == std::vector<double>{1, 10, 100, 1, 10, 100});
}

TEST_CASE("topk keeps the largest elements and the name of the axis") {
  Float64<"row=2 n"> const x{{3, 1, 2, 0}, {5, 7, 5, 9}};
  auto const [values, indices] = topk<"n", 2>(x);
  CHECK(spec(values) == "row=2 n=2");
  CHECK(elements(values) == std::vector<double>{3, 2, 9, 7});
  CHECK(elements(indices) == std::vector<double>{0, 2, 3, 1});
  auto const derivative =
      grad([](auto const& m) { return sum(square(topk<"n", 1>(m).values)); })(x);
  CHECK(elements(derivative) == std::vector<double>{6, 0, 0, 0, 0, 0, 0, 18});
  CHECK(topk<"row", 0>(x).values.size() == 0);
  CHECK_THROWS_WITH_AS((topk<"n", 5>(x)),
                       "tenon::topk: 'n': expected a range within 0..4, got 0..5 (\"row=2 n\")",
                       IndexError);
}

TEST_CASE_TEMPLATE("take_along gathers by ids along each row and adds up adjoints", D, Cpu,
                   Reference) {
  Float64<"row=2 n=3", D> const x{{1, 2, 3}, {4, 5, 6}};
  Int64<"row k=4", D> const ids{{2, 2, 0, 2}, {1, 0, 1, 1}};
  auto const taken = take_along<"n">(x, ids);
  CHECK(spec(taken) == "row=2 k=4");
  CHECK(elements(2.0 * taken) == std::vector<double>{6, 6, 2, 6, 10, 8, 10, 10});
  CHECK(elements(sum<"row">(taken)) == std::vector<double>{8, 7, 6, 8});
  CHECK(taken(1, 1) == 4);
  auto const derivative = grad([&](auto const& m) { return sum(take_along<"n">(m, ids)); })(x);
  CHECK(elements(derivative) == std::vector<double>{1, 0, 3, 1, 3, 0});
  auto const rows = take_along<0>(x, Int32<"1 n=3", D>{{1, 0, 1}});
  CHECK(elements(rows) == std::vector<double>{4, 2, 6});
  CHECK_THROWS_AS(take_along<"n">(x, Int32<"row k", D>{{3}, {0}}), IndexError);
  CHECK_THROWS_AS(take_along<"n">(x, Int32<"row k", D>{{0}}), ShapeError);
}

}  // namespace sort_test
