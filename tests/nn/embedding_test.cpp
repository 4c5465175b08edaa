#include "checks.hpp"

namespace embedding_test {

using namespace tenon;

namespace {

template <class T, class D>
using Table = Embedding<"vocab=4", "embed=3", T, D>;

template <class Model, class E>
concept Takes = requires(Model const& layer, E const& x) { layer(x); };

}  // namespace

static_assert(shape_of<decltype(Table<float, Cpu>()(Int32<"batch t">()))> == "batch t embed=3");
static_assert(shape_of<decltype(Table<float, Cpu>()(UInt8<"">()))> == "embed=3");
static_assert(!Takes<Table<float, Cpu>, Float32<"batch t">>);
static_assert(!Takes<Table<float, Cpu>, Int32<"batch t", Reference>>);

TEST_CASE_TEMPLATE("an embedding gathers a row of its table for every id", D, Cpu, Reference) {
  auto const table = checks::random_model<Table<float, D>>(1);
  Int32<"batch t", D> const ids{{3, 0, 3}, {1, 2, 2}};
  auto const y = eval(table(ids));
  for (int b = 0; b < 2; ++b) {
    for (int t = 0; t < 3; ++t) {
      for (int e = 0; e < 3; ++e) CHECK(y(b, t, e) == table.weight(ids(b, t), e));
    }
  }
}

TEST_CASE_TEMPLATE("repeated ids sum their gradients", D, Cpu, Reference) {
  Int32<"t", D> const ids{3, 0, 3};
  checks::gradient([&](auto const& table) { return checks::weighed(table(ids)); },
                   checks::random_model<Table<double, D>>(1));
}

TEST_CASE_TEMPLATE("an id out of the vocabulary throws", D, Cpu, Reference) {
  Table<float, D> const table;
  CHECK_THROWS_AS(eval(table(Int32<"t", D>{0, 4})), IndexError);
  CHECK_THROWS_AS(eval(table(Int32<"t", D>{-1, 0})), IndexError);
}

}  // namespace embedding_test
