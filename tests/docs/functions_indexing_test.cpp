// Examples of docs/functions/: indexing and sorting.

#include <doctest/doctest.h>

#include <tuple>

#include <tenon/indexing.hpp>
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

TEST_CASE("indexing beyond tenon.hpp") {
  Float32<"k=2"> const ones{1, 1};
  Float32<"column=3"> const row{1, 3, 2};
  CHECK(to_string(index_add<"column">(row, ids, ones)) == "[2. 3. 3.]");
  CHECK(to_string(scatter_add<"column">(row, Int32<"column=2">{2, 2}, Float32<"column=2">{1, 1})) ==
        "[1. 3. 4.]");
  CHECK(to_string(segment_sum<"column", 2>(row, Int32<"column=3">{0, 1, 0})) == "[3. 3.]");
  CHECK(to_string(index_put(row, std::tuple{ids}, ones)) == "[1. 3. 1.]");
  CHECK(to_string(masked_select(x, x > 4)) == "[6. 5.]");
  auto const [rows, columns] = nonzero(x > 3);
  CHECK(to_string(columns) == "[0 1 2]");
  CHECK(to_string(block<"row", "column">(std::tuple{x, x}, std::tuple{-x, -x})) ==
        "[[ 1.  3.  2.  1.  3.  2.]\n [ 4.  6.  5.  4.  6.  5.]\n [-1. -3. -2. -1. -3. -2.]\n"
        " [-4. -6. -5. -4. -6. -5.]]");
  CHECK(to_string(take<"column">(row, Int32<"k=2">{-1, 3}, TakeMode::wrap)) == "[2. 1.]");
  CHECK(to_string(tile<"column", 2>(row)) == "[1. 3. 2. 1. 3. 2.]");
  CHECK(to_string(repeat_interleave<"column", 2>(row)) == "[1. 1. 3. 3. 2. 2.]");
  CHECK(to_string(repeat_interleave<"column">(row, Int32<"column=3">{0, 2, 1})) == "[3. 3. 2.]");
  CHECK(to_string(rot90(x)) == "[[2. 5.]\n [3. 6.]\n [1. 4.]]");
  auto const [a, b] = meshgrid(row, ids);
  CHECK(to_string(b) == "[[2 0]\n [2 0]\n [2 0]]");
  auto const [i, j] = tril_indices(2, 2);
  CHECK(to_string(j) == "[0 0 1]");
  CHECK(to_string(triu_indices(2, 2).rows) == "[0 0 1]");
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
