#include <tenon/core/stable_sort.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

using namespace tenon;

TEST_CASE("equal elements keep their order, for any number of elements") {
  for (int n = 0; n < 40; ++n) {
    std::vector<std::pair<int, int>> items;
    for (int i = 0; i < n; ++i) items.emplace_back(i * 7 % 5, i);
    auto expected = items;
    std::sort(expected.begin(), expected.end());
    tenon::internal::stable_sort(items,
                                 [](auto const& a, auto const& b) { return a.first < b.first; });
    CHECK(items == expected);
  }
}

TEST_CASE("an inconsistent order loses no element") {
  std::vector<float> items(100, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t i = 0; i < items.size(); i += 3) items[i] = static_cast<float>(i);
  tenon::internal::stable_sort(items, [](float a, float b) { return a < b; });
  CHECK(std::count_if(items.begin(), items.end(), [](float x) { return x == x; }) == 34);
}
