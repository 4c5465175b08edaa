// Examples of docs/functions/: shape, slices, joining.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace functions_shape_test {

using namespace tenon;

Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
Float32<"column=3"> const v{3, 0, -1};
Float32<"n=2 n=2"> const s{{2, 1}, {1, 3}};

TEST_CASE("other axes, the same elements") {
  CHECK(to_string(transpose(x)) == "[[1. 4.]\n [2. 5.]\n [3. 6.]]");
  CHECK(to_string(reshape<"3 2">(x)) == "[[1. 2.]\n [3. 4.]\n [5. 6.]]");
  CHECK(to_string(flatten(x)) == "[1. 2. 3. 4. 5. 6.]");
  CHECK(to_string(unsqueeze<-1>(v)) == "[[ 3.]\n [ 0.]\n [-1.]]");
  CHECK(to_string(squeeze(unsqueeze<0>(v))) == "[ 3.  0. -1.]");
  CHECK(to_string(expand<"row=2 column">(v)) == "[[ 3.  0. -1.]\n [ 3.  0. -1.]]");
  CHECK(to_string(rearrange<"r c -> (c r)">(x)) == "[1. 4. 2. 5. 3. 6.]");
  CHECK(to_string(repeat<"c -> c k=2">(v)) == "[[ 3.  3.]\n [ 0.  0.]\n [-1. -1.]]");
  CHECK(to_string(reduce<"r c -> r", op::mean>(x)) == "[2. 5.]");

  auto const named = rename<"row -> batch">(x);
  static_assert(shape_of<decltype(named)> == "batch=2 column=3");
}

TEST_CASE("parts of a tensor") {
  CHECK(to_string(slice<"column", 0, 2>(x)) == "[[1. 2.]\n [4. 5.]]");
  CHECK(to_string(slice<"column", 1, to_end>(x)) == "[[2. 3.]\n [5. 6.]]");
  CHECK(to_string(split<"column", 3>(x)[0]) == "[[1.]\n [4.]]");
  CHECK(to_string(flip(v)) == "[-1.  0.  3.]");
  CHECK(to_string(roll<"column">(v, 1)) == "[-1.  3.  0.]");
  CHECK(to_string(window<"column", 2>(v)) == "[[ 3.  0.]\n [ 0. -1.]]");
}

TEST_CASE("matrices") {
  CHECK(to_string(diagonal(s)) == "[2. 3.]");
  CHECK(trace(s).item() == 5);
  CHECK(to_string(diag(Float32<"n=2">{3, 4})) == "[[3. 0.]\n [0. 4.]]");
  CHECK(to_string(tril(s)) == "[[2. 0.]\n [1. 3.]]");
  CHECK(to_string(triu(s)) == "[[2. 1.]\n [0. 3.]]");
}

TEST_CASE("joining") {
  CHECK(to_string(concat<"column">(v, v)) == "[ 3.  0. -1.  3.  0. -1.]");
  CHECK(to_string(stack<"pair">(v, v)) == "[[ 3.  0. -1.]\n [ 3.  0. -1.]]");
  CHECK(to_string(stack<"pair", -1>(v, v)) == "[[ 3.  3.]\n [ 0.  0.]\n [-1. -1.]]");
  CHECK(to_string(pad<"column", 1, 1>(v)) == "[ 0.  3.  0. -1.  0.]");
  CHECK(to_string(set<"column">(v, 1, 7)) == "[ 3.  7. -1.]");
}

}  // namespace functions_shape_test
