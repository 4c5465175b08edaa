// Indexing against values of NumPy 2 and PyTorch.

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <tuple>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/indexing.hpp>

namespace indexing_test {

using namespace tenon;

namespace {

Float64<"row=2 t=3"> const x{{3, -1, 4}, {1, 5, 9}};
Float64<"row t"> const open = x;

/// The gradient of the sum of a function's elements, each times its number from 1 on.
template <class F, class X>
auto gradient(F const& f, X const& at) {
  return grad([&](auto const& value) {
    auto const y = eval(f(value));
    auto weights = ones_like(y);
    for (std::int64_t i = 0; i < y.size(); ++i)
      weights.mutable_data()[i] = 1.0 + static_cast<double>(i);
    return sum(y * weights);
  })(at);
}

}  // namespace

TEST_CASE("slices are added at positions, equal ones in order") {
  Int32<"k=3"> const ids{2, 0, 2};
  Float64<"row=2 k=3"> const values{{1, 2, 3}, {4, 5, 6}};
  CHECK(to_string(index_add<"t">(x, ids, values)) == "[[ 5. -1.  8.]\n [ 6.  5. 19.]]");
  CHECK(to_string(index_add<"row">(Int32<"row=2">{1, 2}, Int32<"k=2">{1, 1}, Int32<"k=2">{5, 6})) ==
        "[ 1 13]");
  auto const of_values = [&](auto const& v) { return index_add<"t">(x, ids, v); };
  CHECK(to_string(gradient(of_values, values)) == "[[3. 1. 3.]\n [6. 4. 6.]]");
  auto const of_x = [&](auto const& at) { return index_add<"t">(at, ids, values); };
  CHECK(to_string(gradient(of_x, x)) == "[[1. 2. 3.]\n [4. 5. 6.]]");
  CHECK_THROWS_AS(index_add<"t">(x, Int32<"k=3">{0, 3, 0}, values), IndexError);
}

TEST_CASE("elements are added at positions of their own") {
  Int64<"row=2 t=2"> const ids{{0, 0}, {2, 1}};
  Float64<"row=2 t=2"> const values{{1, 2}, {3, 4}};
  CHECK(to_string(scatter_add<"t">(x, ids, values)) == "[[ 6. -1.  4.]\n [ 1.  9. 12.]]");
  auto const of_values = [&](auto const& v) { return scatter_add<"t">(x, ids, v); };
  CHECK(to_string(gradient(of_values, values)) == "[[1. 1.]\n [6. 5.]]");
  CHECK_THROWS_AS(scatter_add<"row">(open, Int64<"row t">{{0, 0}}, Float64<"row t">{{1, 1}}),
                  ShapeError);
}

TEST_CASE("segments are summed, empty ones to zero") {
  Int32<"t=3"> const ids{3, 0, 3};
  auto const sums = segment_sum<"t", 4>(x, ids);
  CHECK(to_string(sums) == "[[-1.  0.  0.  7.]\n [ 5.  0.  0. 10.]]");
  CHECK(shape_of<decltype(sums)> == "row=2 t=4");
  CHECK(shape_of<decltype(segment_sum<"t">(open, ids, 4))> == "row t=_");
  CHECK(to_string(segment_sum<"t">(open, ids, 4)) == to_string(sums));
  auto const f = [&](auto const& at) { return segment_sum<"t", 4>(at, ids); };
  CHECK(to_string(gradient(f, x)) == "[[4. 1. 4.]\n [8. 5. 8.]]");
  CHECK_THROWS_WITH_AS((segment_sum<"t", 3>(x, ids)), doctest::Contains("segment"), IndexError);
}

TEST_CASE("elements at several indices are replaced, the last one wins, or accumulated") {
  std::tuple const ids{Int32<"k=3">{0, 1, 0}, Int64<"k=3">{1, 2, 1}};
  Float64<"k=3"> const values{10, 20, 30};
  CHECK(to_string(index_put(x, ids, values)) == "[[ 3. 30.  4.]\n [ 1.  5. 20.]]");
  CHECK(to_string(index_put(open, ids, values, true)) == "[[ 3. 39.  4.]\n [ 1.  5. 29.]]");
  Mask<"n=2"> const mask{false, true};
  std::tuple const first{Int32<"k=1">{0}};
  CHECK(to_string(index_put(mask, first, Mask<"k=1">{true})) == "[ True  True]");
  CHECK_THROWS_WITH_AS((void)index_put(mask, first, Mask<"k=1">{true}, true),
                       "tenon::index_put: 'accumulate': expected numbers, not of 16 bits, got bool",
                       ValueError);
  for (bool const accumulate : {false, true}) {
    auto const of_values = [&](auto const& v) { return index_put(x, ids, v, accumulate); };
    CHECK(to_string(gradient(of_values, values)) == (accumulate ? "[2. 6. 2.]" : "[0. 6. 2.]"));
    auto const of_x = [&](auto const& at) { return index_put(at, ids, values, accumulate); };
    CHECK(to_string(gradient(of_x, x)) ==
          (accumulate ? "[[1. 2. 3.]\n [4. 5. 6.]]" : "[[1. 0. 3.]\n [4. 5. 0.]]"));
  }
  CHECK_THROWS_AS(index_put(x, std::tuple{Int32<"1">{0}, Int32<"1">{3}}, Float64<"1">{1.0}),
                  IndexError);
}

TEST_CASE("elements and slices are selected by masks") {
  auto const large = masked_select(x, x > 2);
  CHECK(to_string(large) == "[3. 4. 5. 9.]");
  CHECK(shape_of<decltype(large)> == "_");
  auto const odd = masked_select<"t">(x, Mask<"t=3">{true, false, true});
  CHECK(to_string(odd) == "[[3. 4.]\n [1. 9.]]");
  CHECK(shape_of<decltype(odd)> == "row=2 t=_");
  CHECK(masked_select(x, x > 10).size() == 0);
  CHECK(to_string(gradient([](auto const& at) { return masked_select(at, at > 2); }, x)) ==
        "[[1. 0. 2.]\n [0. 3. 4.]]");
  CHECK_THROWS_AS(masked_select<"t">(open, Mask<"n">{true}), ShapeError);
}

TEST_CASE("positions of the elements that are not zero") {
  auto const [rows, columns] = nonzero(x - 4);
  CHECK(to_string(rows) == "[0 0 1 1 1]");
  CHECK(to_string(columns) == "[0 1 0 1 2]");
  static_assert(std::same_as<decltype(columns), Int64<"_"> const>);
  CHECK(std::get<0>(nonzero(Float32<"n=3">{std::nanf(""), -0.0f, 2}))(0) == 0);
  CHECK(std::get<0>(nonzero(zeros<Float64<"row t">>(2, 0))).size() == 0);
  CHECK(std::get<1>(nonzero(zeros<Int32<"row=2 t=2">>())).size() == 0);
  auto const [a, b, c] = nonzero(Mask<"2 1 3">{{{false, true, true}}, {{true, false, false}}});
  CHECK(to_string(c) == "[1 2 0]");
  CHECK(to_string(b) == "[0 0 0]");
  // They are what index_put takes.
  CHECK(to_string(index_put(x, nonzero(x > 3), zeros<Float64<"_">>(3))) ==
        "[[ 3. -1.  0.]\n [ 1.  0.  0.]]");
}

TEST_CASE("blocks beside and below each other") {
  Float64<"row=1 t=3"> const below{{7, 8, 9}};
  Float64<"row=2 t=1"> const beside{{-1}, {-2}};
  Float64<"row=1 t=1"> const corner{{0}};
  auto const all_of = [&](auto const& at) {
    return block<"row", "t">(std::tuple{at, beside}, std::tuple{below, corner});
  };
  CHECK(to_string(all_of(x)) == "[[ 3. -1.  4. -1.]\n [ 1.  5.  9. -2.]\n [ 7.  8.  9.  0.]]");
  static_assert(shape_of<decltype(all_of(x))> == "row=3 t=4");
  CHECK(to_string(gradient(all_of, x)) == "[[1. 2. 3.]\n [5. 6. 7.]]");
  CHECK_THROWS_AS((block<"row", "t">(std::tuple{open, open}, std::tuple{open})), ShapeError);
}

TEST_CASE("ids out of range are clipped or wrapped") {
  Int32<"k=4"> const ids{-1, 0, 2, 4};
  CHECK(to_string(take<"t">(x, ids, TakeMode::clip)) == "[[3. 3. 4. 4.]\n [1. 1. 9. 9.]]");
  CHECK(to_string(take<"t">(x, ids, TakeMode::wrap)) == "[[ 4.  3.  4. -1.]\n [ 9.  1.  9.  5.]]");
  CHECK_THROWS_AS(eval(take<"t">(x, ids)), IndexError);
  Tensor<std::uint64_t, "1"> const largest{~std::uint64_t{0}};
  CHECK(to_string(take<"t">(x, largest, TakeMode::clip)) ==
        to_string(take<"t">(x, Int32<"1">{2}, TakeMode::clip)));
  CHECK_THROWS_AS(take<"t">(zeros<Float64<"t">>(0), ids, TakeMode::clip), IndexError);
  CHECK_THROWS_AS(take<"t">(zeros<Float64<"t">>(0), ids, TakeMode::wrap), IndexError);
  auto const f = [&](auto const& at) { return take<"t">(at, ids, TakeMode::wrap); };
  CHECK(to_string(gradient(f, x)) == "[[ 2.  4.  4.]\n [ 6.  8. 12.]]");
}

TEST_CASE("axes are tiled, and elements repeated") {
  CHECK(to_string(tile<"t", 2>(x)) == "[[ 3. -1.  4.  3. -1.  4.]\n [ 1.  5.  9.  1.  5.  9.]]");
  CHECK(shape_of<decltype(tile<"t", 2>(x))> == "row=2 t=6");
  CHECK(shape_of<decltype(tile<"t", 2>(open))> == "row t=2*t");
  CHECK(to_string(tile<"row", 1>(x)) == to_string(x));
  CHECK(tile<"t", 0>(x).size() == 0);
  CHECK(to_string(repeat_interleave<"t", 2>(open)) ==
        "[[ 3.  3. -1. -1.  4.  4.]\n [ 1.  1.  5.  5.  9.  9.]]");
  auto const uneven = repeat_interleave<"t">(x, Int32<"t=3">{2, 0, 1});
  CHECK(to_string(uneven) == "[[3. 3. 4.]\n [1. 1. 9.]]");
  CHECK(shape_of<decltype(uneven)> == "row=2 t=_");
  CHECK_THROWS_WITH_AS(repeat_interleave<"t">(x, Int32<"t=3">{2, -1, 1}),
                       "tenon::repeat_interleave: 'counts': expected integers >= 0, got -1",
                       ValueError);
  CHECK_THROWS_AS(repeat_interleave<"t">(x, Int32<"t">{2, 1}), ShapeError);
  CHECK(to_string(gradient([](auto const& at) { return tile<"t", 2>(at); }, x)) ==
        "[[ 5.  7.  9.]\n [17. 19. 21.]]");
  CHECK(to_string(gradient([](auto const& at) { return repeat_interleave<"t", 2>(at); }, x)) ==
        "[[ 3.  7. 11.]\n [15. 19. 23.]]");
}

TEST_CASE("quarter turns exchange the axes") {
  CHECK(to_string(rot90(x)) == "[[ 4.  9.]\n [-1.  5.]\n [ 3.  1.]]");
  CHECK(shape_of<decltype(rot90(x))> == "t=3 row=2");
  CHECK(to_string(rot90<2>(x)) == "[[ 9.  5.  1.]\n [ 4. -1.  3.]]");
  CHECK(to_string(rot90<-1>(x)) == "[[ 1.  3.]\n [ 5. -1.]\n [ 9.  4.]]");
  CHECK(to_string(gradient([](auto const& at) { return rot90(at); }, x)) ==
        "[[5. 3. 1.]\n [6. 4. 2.]]");
}

TEST_CASE("grids and triangles are given by positions") {
  auto const [a, b] = meshgrid(Float64<"x=2">{1, 2}, Int32<"y">{3, 4, 5});
  CHECK(to_string(a) == "[[1. 1. 1.]\n [2. 2. 2.]]");
  CHECK(to_string(b) == "[[3 4 5]\n [3 4 5]]");
  CHECK(shape_of<decltype(b)> == "x=2 y");
  auto const [i, j] = tril_indices(2, 3);
  CHECK(to_string(i) == "[0 1 1]");
  CHECK(to_string(j) == "[0 0 1]");
  CHECK(to_string(triu_indices(2, 3, 1).columns) == "[1 2 2]");
  CHECK(triu_indices(2, 2, 5).rows.size() == 0);
}

TEST_CASE("sums at positions have second derivatives") {
  std::tuple const ids{Int32<"k=3">{0, 1, 0}, Int64<"k=3">{1, 2, 1}};
  Float64<"k=3"> const values{1, 2, 3}, direction{1, 0, 0};
  auto const loss = [&](auto const& v) {
    return sum(square(index_put(x, ids, square(v), true))) +
           sum(square(segment_sum<"k", 2>(v, Int32<"k=3">{0, 0, 1})));
  };
  CHECK(to_string(hvp(loss, values, direction)) == "[46.  2. 24.]");
}

}  // namespace indexing_test
