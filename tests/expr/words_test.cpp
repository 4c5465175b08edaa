#include "counting.hpp"

namespace words_test {

using namespace tenon::internal;

// Common functions: dot and outer products, diagonals, splits, windows, moved axes.

namespace {

using namespace counting;

using Batch = Float32<"batch h=2 w=3">;

static_assert(shape_of<decltype(dot(Float32<"n">(), Float32<"n=3">()))> == "");
static_assert(shape_of<decltype(outer(Float32<"i">(), Float32<"j=3">()))> == "i j=3");
static_assert(shape_of<decltype(outer(Float32<"n">(), Float32<"n">()))> == "n n");
static_assert(shape_of<decltype(diagonal(Float32<"batch n n">()))> == "batch n");
static_assert(shape_of<decltype(diagonal(Float32<"row=3 column=4">()))> == "3");
static_assert(shape_of<decltype(diagonal(Float32<"n m">()))> == "min(m,n)");
static_assert(shape_of<decltype(trace(Float32<"batch n n">()))> == "batch");
static_assert(shape_of<decltype(diag(Float32<"n">()))> == "n n");
static_assert(shape_of<decltype(flip<"h">(Batch()))> == "batch h=2 w=3");
static_assert(shape_of<decltype(slice<"t", 0, to_end, 2>(Float32<"t c">()))> == "t=(t+1)//2 c");
static_assert(shape_of<decltype(slice<"t", 1, 8, 3>(Float32<"t=9 c">()))> == "t=3 c");
static_assert(shape_of<decltype(window<"t", 3>(Float32<"batch t c">()))> ==
              "batch t=t-2 c window=3");
static_assert(shape_of<decltype(window<"t", 3, 2>(Float32<"t=9">()))> == "t=4 window=3");
static_assert(shape_of<decltype(window<"t", 3, 2, 2>(Float32<"t">()))> == "t=(t-3)//2 window=3");
static_assert(shape_of<decltype(split<"t", 2>(Float32<"t c">())[0])> == "t=t//2 c");
static_assert(shape_of<decltype(split<"t", 2>(Float32<"t=8 c">())[0])> == "t=4 c");
static_assert(shape_of<decltype(reshape<"batch p">(Batch()))> == "batch p=6");
static_assert(shape_of<decltype(reshape<"p">(Batch()))> == "p");
static_assert(shape_of<decltype(reshape<"batch 3 _">(Batch()))> == "batch 3 2");
static_assert(shape_of<decltype(flatten(Batch()))> == "6*batch");
static_assert(shape_of<decltype(flatten<"h w">(Batch()))> == "batch 6");
static_assert(shape_of<decltype(flatten<"h w -> p">(Batch()))> == "batch p=6");
static_assert(shape_of<decltype(flatten(Float32<"">()))> == "1");
static_assert(shape_of<decltype(expand<"n=4 batch h w">(Batch()))> == "n=4 batch h=2 w=3");
static_assert(shape_of<decltype(expand<"b=2 n=4">(Float32<"n">()))> == "b=2 n=4");
static_assert(shape_of<decltype(expand<"3 4">(Float32<"3 1">()))> == "3 4");
static_assert(shape_of<decltype(squeeze(Float32<"1 n c=1">()))> == "n");
static_assert(shape_of<decltype(squeeze<"c">(Float32<"1 n c=1">()))> == "1 n");
static_assert(shape_of<decltype(unsqueeze<"batch">(Float32<"n">()))> == "batch=1 n");
static_assert(shape_of<decltype(unsqueeze<"c", -1>(Float32<"n">()))> == "n c=1");
static_assert(shape_of<decltype(unsqueeze<1>(Float32<"a b">()))> == "a 1 b");

constexpr Float32<"2 3"> m{{1, 2, 3}, {4, 5, 6}};
static_assert(flip(m)(0, 0) == 6 && flip<0>(m)(0, 0) == 4 && flip<-1>(m)(0, 0) == 3);
static_assert(diagonal(m)(1) == 5 && trace(m)() == 6 && diag(take<0>(m, 1))(1, 1) == 5);
static_assert(dot(take<0>(m, 0), take<0>(m, 1))() == 32);
static_assert(split<1, 3>(m)[2](1, 0) == 6 && std::get<1>(split<1, 1, 2>(m))(1, 1) == 6);
static_assert(window<-1, 2>(m)(1, 1, 0) == 5 && window<-1, 2, 1, 2>(m)(1, 0, 1) == 6);
static_assert(roll<-1>(m, 1)(0, 0) == 3 && roll<0>(m, -3)(1, 2) == 3);
static_assert(reshape<"3 2">(m)(2, 0) == 5 && flatten(m + 1)(4) == 6);
static_assert(expand<"2 2 3">(m)(1, 1, 0) == 4 && unsqueeze<-1>(m)(1, 1, 0) == 5);

TEST_CASE_TEMPLATE("strided views equal the elements that a loop reads", D, Cpu, Reference) {
  auto const x = counted<Float32<"batch n t", D>>(3, 4, 37);
  auto const at = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return i * 148 + j * 37 + k;
  };
  CHECK(elements(flip<"batch t">(x)) ==
        loop(3, 4, 37, [&](auto i, auto j, auto k) { return at(2 - i, j, 36 - k); }));
  CHECK(elements(flip<"n">(x)) ==
        loop(3, 4, 37, [&](auto i, auto j, auto k) { return at(i, 3 - j, k); }));
  CHECK(elements(diagonal(x)) == loop(1, 3, 4, [&](auto, auto i, auto j) { return at(i, j, j); }));
  CHECK(elements(trace(x)) ==
        loop(1, 1, 3, [&](auto, auto, auto i) { return 4 * at(i, 0, 0) + 6 * 38; }));
  CHECK(elements(slice<"t", 2, -1, 3>(x)) ==
        loop(3, 4, 12, [&](auto i, auto j, auto k) { return at(i, j, 2 + 3 * k); }));
  CHECK(elements(window<"t", 5, 2, 3>(take<"batch">(x, 1))) ==
        loop(4, 13, 5, [&](auto j, auto k, auto w) { return at(1, j, 2 * k + 3 * w); }));
  CHECK(elements(window<"t", 3>(take<"n">(x, 2) * 2)) ==
        loop(3, 35, 3, [&](auto i, auto k, auto w) { return 2 * at(i, 2, k + w); }));
}

TEST_CASE_TEMPLATE("splits, rotations and moved axes keep the order of elements", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"batch n t", D>>(2, 3, 20);
  auto const at = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return i * 60 + j * 20 + k;
  };
  auto const [a, b] = split<"t", 2>(x);
  CHECK(elements(a + 2 * b) ==
        loop(2, 3, 10, [&](auto i, auto j, auto k) { return at(i, j, k) + 2 * at(i, j, k + 10); }));
  auto const [c, d] = split<"t", 17, 3>(x);
  CHECK(elements(d) == loop(2, 3, 3, [&](auto i, auto j, auto k) { return at(i, j, 17 + k); }));
  CHECK(c.sizes() == Sizes{2, 3, 17, 1, 1, 1, 1, 1});
  CHECK(elements(roll<"n">(x, 4)) ==
        loop(2, 3, 20, [&](auto i, auto j, auto k) { return at(i, (j + 2) % 3, k); }));
  auto const flat = counted<Float32<"p", D>>(120);
  CHECK(elements(flatten(x)) == elements(flat));
  CHECK(elements(reshape<"a b">(x, 8, 15)) == elements(flat));
  CHECK(elements(reshape<"t _">(x)) == elements(flat));
  CHECK(reshape<"t _">(x).sizes()[1] == 6);
  CHECK(elements(reshape<"p">(x)) == elements(flat));
  CHECK(elements(reshape<"p">(x).data() == x.data() ? flat : -flat) == elements(flat));
  CHECK(elements(expand<"s n=3 t">(take<0>(x, 1), 4)) ==
        loop(4, 3, 20, [&](auto, auto j, auto k) { return at(1, j, k); }));
  auto const row = take<0>(take<0>(x, 0), 1);
  CHECK(elements(outer(row, row)) ==
        loop(1, 20, 20, [&](auto, auto j, auto k) { return (20 + j) * (20 + k); }));
  CHECK(elements(diag(row)) ==
        loop(1, 20, 20, [&](auto, auto j, auto k) { return j == k ? 20 + j : 0; }));
}

TEST_CASE("diagonal, reverse and split of axes without elements are empty") {
  Float32<"n m"> const none = zeros<Float32<"n m">>(0, 3);
  CHECK(eval(flip(none)).size() == 0);
  CHECK(eval(diagonal(none)).size() == 0);
  CHECK(trace(none).item() == 0);
  CHECK(roll<"n">(none, 1).size() == 0);
  CHECK(split<"n", 2>(none)[1].sizes()[0] == 0);
  CHECK(reshape<"n 3">(none).size() == 0);
  CHECK(flatten(none).size() == 0);
  CHECK(eval(slice<"n", 0, to_end, 2>(none)).size() == 0);
}

TEST_CASE("the error for run-time sizes that do not fit names them") {
  auto const x = counted<Float32<"batch t">>(2, 6);
  CHECK_THROWS_WITH_AS((split<"t", 4>(x)),
                       "tenon::split: 't': expected 4 equal parts, got 6 (\"batch t\")",
                       ShapeError);
  CHECK_THROWS_WITH_AS((split<"t", 2, 5>(x)),
                       "tenon::split: 't': expected 2+5, got 6 (\"batch t\")", ShapeError);
  CHECK_THROWS_WITH_AS((window<"t", 7>(x)),
                       "tenon::window: 't': expected a range within 0..6, got 0..7 (\"batch t\")",
                       IndexError);
  CHECK_THROWS_WITH_AS((expand<"n=3 batch=3 t">(x)),
                       "tenon::expand: 'batch': expected 3, got 2 (\"n=3 batch=3 t\")", ShapeError);
  CHECK_THROWS_WITH_AS((reshape<"a b">(x, 4, 4)),
                       "tenon::reshape: expected 16 elements, got 12 (\"a b\")", ShapeError);
  CHECK_THROWS_WITH_AS((reshape<"a 5">(x)),
                       "tenon::reshape: expected 10 elements, got 12 (\"a 5\")", ShapeError);
  CHECK_THROWS_AS((dot(take<0>(x, 0), counted<Float32<"t">>(5))), ShapeError);
}

}  // namespace

}  // namespace words_test
