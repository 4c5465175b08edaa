#include <doctest/doctest.h>

#include <iostream>
#include <sstream>

#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

namespace print_bindings_test {

using namespace tenon;

TEST_CASE("the bindings of a pattern are written with their run-time sizes") {
  auto const x = ones<Float32<"sample=2 pixel">>(3);
  auto const y = ones<Float32<"pixel 4">>(3);
  CHECK(bindings_text<"b n, n m">(x, y) == "b=2, n=3, m=4");
  CHECK(bindings_text<"b n, n m">(x + 1, y) == "b=2, n=3, m=4");
  CHECK(bindings_text<"b _, _ 4">(x, y) == "b=2");
  CHECK(bindings_text<"b k=3">(x) == "b=2, k=3");
  CHECK(bindings_text<"n, n+1">(ones<Float32<"3">>(), ones<Float32<"m">>(4)) == "n=3");
  CHECK(bindings_text<"">(sum(x)) == "");
}

TEST_CASE("a variadic word is bound to a tuple of sizes") {
  auto const x = ones<Float32<"2 a 5">>(3);
  CHECK(bindings_text<"*batch c">(x) == "c=5, *batch=(2, 3)");
  CHECK(bindings_text<"*batch c">(ones<Float32<"5">>()) == "c=5, *batch=()");
  CHECK(bindings_text<"... c">(x) == "c=5");
  CHECK(bindings_text<"*#batch, *#batch">(ones<Float32<"1 4">>(), ones<Float32<"n 1">>(3)) ==
        "*batch=(3, 4)");
}

TEST_CASE("a word that may be 1 is bound to the other size") {
  CHECK(bindings_text<"#n, #n">(ones<Float32<"1">>(), ones<Float32<"5">>()) == "n=5");
  CHECK(bindings_text<"#n, #n">(ones<Float32<"m">>(1), ones<Float32<"5">>()) == "n=5");
}

TEST_CASE("the result may follow the arguments") {
  auto const x = ones<Float32<"n">>(3);
  CHECK(bindings_text<"n -> n m">(x) == "n=3");
  CHECK(bindings_text<"n -> n m">(x, ones<Float32<"3 2">>()) == "n=3, m=2");
}

TEST_CASE("run-time sizes that do not fit a pattern are named with the bindings so far") {
  auto const two = ones<Float32<"n">>(2), three = ones<Float32<"n">>(3);
  CHECK_THROWS_WITH_AS((bindings_text<"n, n">(two, three)),
                       "tenon::bindings_text: 'n': expected n=2, got n=3 (axis 0 of argument 2; "
                       "n=2)",
                       ShapeError);
  CHECK_THROWS_WITH_AS((print_bindings<"n, n+2">(two, three)),
                       "tenon::print_bindings: 'n+2': expected 4, got n=3 (axis 0 of argument 2; "
                       "n=2)",
                       ShapeError);
}

TEST_CASE("bindings are printed as a line") {
  std::ostringstream text;
  auto* const before = std::cout.rdbuf(text.rdbuf());
  print_bindings<"b n">(ones<Float32<"2 3">>());
  std::cout.rdbuf(before);
  CHECK(text.str() == "b=2, n=3\n");
}

}  // namespace print_bindings_test
