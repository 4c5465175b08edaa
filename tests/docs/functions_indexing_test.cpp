// Examples of docs/functions.md: indexing and sorting.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace functions_indexing_test {

using namespace tenon;

Float32<"row=2 column=3"> const x{{1, 3, 2}, {4, 6, 5}};
Int32<"k=2"> const ids{2, 0};

TEST_CASE("indexing") {
  CHECK(to_string(take<"column">(x, ids)) == "[[2. 1.]\n [5. 4.]]");
  CHECK(to_string(take<"column">(x, -1)) == "[2. 5.]");
  CHECK(to_string(pick<"column">(x, Int32<"row=2">{2, 0})) == "[2. 4.]");
  CHECK(to_string(take_along<"column">(x, argsort<"column">(x))) == "[[1. 2. 3.]\n [4. 5. 6.]]");
}

TEST_CASE("sorting") {
  CHECK(to_string(sort<"column">(x)) == "[[1. 2. 3.]\n [4. 5. 6.]]");
  CHECK(to_string(sort<"column">(x, descending)) == "[[3. 2. 1.]\n [6. 5. 4.]]");
  CHECK(to_string(argsort<"column">(x)) == "[[0 2 1]\n [0 2 1]]");

  auto const [values, indices] = topk<"column", 2>(x);
  CHECK(to_string(values) == "[[3. 2.]\n [6. 5.]]");
  CHECK(to_string(indices) == "[[1 2]\n [1 2]]");

  Topk<Float32<"row=2 column=2">, Int32<"row=2 column=2">> const best = topk<"column", 2>(x);
  CHECK(best.indices(0, 0) == 1);
}

}  // namespace functions_indexing_test
