// Examples of docs/functions/: creation.

#include <doctest/doctest.h>

#include <vector>

#include <tenon/tenon.hpp>

namespace functions_creation_test {

using namespace tenon;

Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
Int32<"k=2"> const ids{2, 0};

TEST_CASE("tensors of given values") {
  CHECK(to_string(zeros<Float32<"n">>(3)) == "[0. 0. 0.]");
  CHECK(to_string(ones<Float32<"3">>()) == "[1. 1. 1.]");
  CHECK(to_string(full<Float32<"n">>(7, 2)) == "[7. 7.]");
  CHECK(to_string(iota<Int32<"4">>()) == "[0 1 2 3]");
  CHECK(to_string(linspace<Float32<"5">>(0, 1)) == "[0.   0.25 0.5  0.75 1.  ]");
  CHECK(to_string(eye<Float32<"2 2">>()) == "[[1. 0.]\n [0. 1.]]");
  CHECK(to_string(one_hot<"class=3">(ids)) == "[[0. 0. 1.]\n [1. 0. 0.]]");

  std::vector<float> const numbers{1, 2, 3, 4, 5, 6};
  auto const rows = from_span<Float32<"n 3">>(numbers, 2);
  CHECK(rows(1, 0) == 4);
}

TEST_CASE("tensors like another") {
  CHECK(to_string(zeros_like(x)) == "[[0. 0. 0.]\n [0. 0. 0.]]");
  CHECK(to_string(ones_like(ids)) == "[1 1]");
  CHECK(to_string(full_like(ids, 7)) == "[7 7]");
}

}  // namespace functions_creation_test
