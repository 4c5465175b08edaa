// Datasets: made from others by a function, by indices, by a division in two.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>

namespace data_dataset_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Numbers = std::vector<int>;

template <class Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (Error const& error) {
    return error.what();
  }
  return "no error";
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a vector is a dataset, a number is none") {
  static_assert(Dataset<Numbers>);
  static_assert(!Dataset<int>);
}

TEST_CASE("a mapped dataset computes each element when it is read") {
  int calls = 0;
  auto const squares = map_dataset(Numbers{1, 2, 3}, [&calls](int x) { return ++calls, x * x; });
  CHECK(squares.size() == 3);
  CHECK(calls == 0);
  CHECK(squares[2] == 9);
  CHECK(calls == 1);
}

TEST_CASE("a subset has the elements of its indices in their order") {
  auto const some = subset(Numbers{10, 11, 12}, {2, 0, 2});
  REQUIRE(some.size() == 3);
  CHECK(some[0] == 12);
  CHECK(some[1] == 10);
  CHECK(some[2] == 12);
  CHECK(subset(Numbers{}, {}).size() == 0);
}

TEST_CASE("a subset refuses an index outside the dataset") {
  for (std::int64_t const index : {-1, 3}) {
    auto const message = message_of([&] { subset(Numbers{1, 2, 3}, {index}); });
    CHECK(contains(message,
                   "tenon::subset: 'index': expected a number from 0 to less than 3, "
                   "got " +
                       std::to_string(index)));
  }
}

TEST_CASE("the parts of a division have each element once, the same for the same key") {
  Numbers const numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (double const fraction : {0.0, 0.25, 0.8, 1.0}) {
    auto const [first, second] = split_dataset(numbers, fraction, Key(3));
    auto const again = split_dataset(numbers, fraction, Key(3)).first;
    CHECK(first.size() == static_cast<std::size_t>(std::llround(fraction * 10)));
    CHECK(first.size() + second.size() == 10);
    std::multiset<int> seen;
    for (std::size_t i = 0; i < first.size(); ++i) seen.insert(first[i]);
    for (std::size_t i = 0; i < second.size(); ++i) seen.insert(second[i]);
    CHECK(seen == std::multiset<int>(numbers.begin(), numbers.end()));
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i] == again[i]);
  }
  CHECK(split_dataset(Numbers{}, 0.5, Key(3)).second.size() == 0);
}

TEST_CASE("a fraction outside 0 to 1 is refused") {
  for (double const fraction : {-0.1, 1.5, std::nan("")}) {
    auto const message = message_of([&] { split_dataset(Numbers{1}, fraction, Key(1)); });
    CHECK(contains(message,
                   "tenon::split_dataset: 'fraction': "
                   "expected a number from 0 to 1, got "));
  }
}

}  // namespace data_dataset_test
