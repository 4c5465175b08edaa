#include <tenon/expr/checked.hpp>
#include <tenon/expr/shape_of.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/expr/view/slice.hpp>

#include "counting.hpp"

namespace moves_test {

using namespace tenon::internal;

namespace {

using namespace counting;

TEST_CASE_TEMPLATE("transpose exchanges the last two axes, or two axes by name", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"batch row=3 column", D>>(2, 5);
  auto const element = [](auto i, auto j, auto k) { return 15 * i + 5 * j + k; };
  CHECK(spec(transpose(x)) == "batch column row=3");
  CHECK(elements(transpose(x)) ==
        loop(2, 5, 3, [&](auto i, auto k, auto j) { return element(i, j, k); }));
  CHECK(spec(transpose<"column batch">(x)) == "column row=3 batch");
  CHECK(elements(transpose<"batch column">(x)) ==
        loop(5, 3, 2, [&](auto k, auto j, auto i) { return element(i, j, k); }));
  CHECK(elements(transpose(transpose<"batch row">(x + x))) ==
        loop(3, 5, 2, [&](auto j, auto k, auto i) { return 2 * element(i, j, k); }));
  CHECK(transpose(x)(1, 4, 2) == element(1, 2, 4));
}

TEST_CASE_TEMPLATE("a matmul reads a transposed tensor without a copy", D, Cpu, Reference) {
  auto const x = counted<Float32<"n=3 k=2", D>>();
  auto const before = kernels_run;
  auto const y = eval(matmul(x, transpose(x)));
  CHECK(kernels_run <= before + 1);  // an unrolled matmul is not a kernel
  CHECK(spec(y) == "n=3 n=3");
  CHECK(elements(y) == loop(3, 3, 1, [](auto i, auto j, auto) {
          return (2 * i) * (2 * j) + (2 * i + 1) * (2 * j + 1);
        }));
}

TEST_CASE_TEMPLATE("slices with compile-time ranges", D, Cpu, Reference) {
  auto const x = counted<Float32<"batch t=9", D>>(2);
  auto const from = [](std::int64_t start) {
    return [=](auto, auto i, auto j) { return 9 * i + start + j; };
  };
  CHECK(spec(slice<"t", 1, 9>(x)) == "batch t=8");
  CHECK(elements(slice<"t", 1, 9>(x)) == loop(1, 2, 8, from(1)));
  CHECK(elements(slice<"t", 0, -1>(x)) == loop(1, 2, 8, from(0)));
  CHECK(elements(slice<-1, 1, to_end>(x)) == loop(1, 2, 8, from(1)));
  CHECK(elements(slice<"t", -3, -1>(x)) == loop(1, 2, 2, from(6)));
  CHECK(elements(slice<"t", 4, 4>(x)).empty());
  CHECK(spec(slice<"t", 0, 9>(x)) == "batch t=9");
  CHECK(spec(slice<"batch", 0, -1>(x)) == "batch=batch-1 t=9");
  CHECK(elements(slice<"batch", 0, -1>(x)) == loop(1, 1, 9, from(0)));
  CHECK(spec(slice<"batch", -1, to_end>(x)) == "batch=1 t=9");
  CHECK(elements(slice<"batch", -1, to_end>(x)) == loop(1, 1, 9, from(9)));
  CHECK(spec(slice<"batch", 0, 2>(x)) == "batch=2 t=9");
  CHECK(elements(slice<"t", 1, to_end>(x) - slice<"t", 0, -1>(x)) ==
        loop(1, 2, 8, [](auto, auto, auto) { return 1; }));
}

TEST_CASE_TEMPLATE("slices with run-time ranges", D, Cpu, Reference) {
  auto const x = counted<Float32<"t=9 c=2", D>>();
  for (std::int64_t start : {0, 3, 7}) {
    auto const expected = loop(1, 2, 2, [&](auto, auto i, auto j) { return 2 * (start + i) + j; });
    CHECK(elements(slice<"t", 2>(x, start)) == expected);
    CHECK(elements(slice<"t">(x, start, start + 2)) == expected);
    CHECK(elements(slice<"t">(x + x, start, start + 2) / 2) == expected);
  }
  CHECK(elements(slice<"t">(x, 4, to_end)) == elements(slice<"t", 4, to_end>(x)));
  CHECK(elements(slice<"t">(x, 9, to_end)).empty());
  CHECK_THROWS_AS(slice<"t">(x, 10, to_end), IndexError);
  CHECK(spec(slice<"t", 2>(x, 1)) == "t=2 c=2");
  CHECK(spec(slice<"t">(x, 1, 2)) == "t=_ c=2");
  CHECK(elements(slice<"t">(x, 9, 9)).empty());
  CHECK(elements(slice<1, 2>(slice<"t">(transpose(x), 1, 8), 3)) ==
        loop(1, 2, 2, [](auto, auto j, auto i) { return 2 * (4 + i) + j; }));
}

TEST_CASE("a range outside of its axis throws at run time") {
  auto const x = counted<Float32<"t c=2">>(5);
  CHECK_THROWS_WITH_AS((slice<"t", 1, 9>(x)),
                       "tenon::slice: 't': expected a range within 0..5, got 1..9 (\"t c=2\")",
                       IndexError);
  CHECK_THROWS_WITH_AS((slice<"t", 2>(x, 4)),
                       "tenon::slice: 't': expected a range within 0..5, got 4..6 (\"t c=2\")",
                       IndexError);
  CHECK_THROWS_WITH_AS(slice<"c">(x, -1, 1),
                       "tenon::slice: 'c': expected a range within 0..2, got -1..1 (\"t c=2\")",
                       IndexError);
  CHECK_THROWS_AS(slice<"t">(x, 3, 2), IndexError);
  CHECK_THROWS_AS((slice<"t", -6, -2>(x)), IndexError);
  CHECK_NOTHROW((slice<"t", -5, -2>(x)));
}

TEST_CASE_TEMPLATE("rename replaces all names simultaneously and copies nothing", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"t=40 head", D>>(3);
  auto const renamed = rename<"t -> key, head -> t">(x);
  CHECK(spec(renamed) == "key=40 t");
  CHECK(renamed.data() == x.data());
  CHECK(spec(rename<"t -> _">(x)) == "40 head");
  CHECK(spec(rename<"head->_">(x)) == "t=40 _");
  auto const before = kernels_run;
  auto const open = rename<"t -> key">(x + x);
  CHECK(kernels_run == before);
  CHECK(spec(open) == "key=40 head");
  CHECK(elements(open) == elements(x + x));
  CHECK(spec(rename<"row -> column, column -> row">(counted<Float32<"row column", D>>(2, 3))) ==
        "column row");
}

TEST_CASE_TEMPLATE("as checks run-time sizes and shares the elements", D, Cpu, Reference) {
  auto const x = counted<Float32<"batch _", D>>(32, 784);
  auto const y = as<"batch=32 784">(x);
  CHECK(spec(y) == "batch=32 784");
  CHECK(y.data() == x.data());
  CHECK(elements(as<"batch pixel=784">(x + 1)) == elements(x + 1));
  auto const square = as<"n n">(counted<Float32<"3 _", D>>(3));
  CHECK(at(square.sizes(), 1) == 3);
}

TEST_CASE("the error of as names as") {
  auto const x = counted<Float32<"batch _">>(16, 784);
  CHECK_THROWS_WITH_AS((as<"batch=32 784">(x)),
                       "tenon::as: 'batch': expected 32, got 16 (\"batch=32 784\")", ShapeError);
  CHECK_THROWS_WITH_AS((as<"batch=1..8 _">(x)),
                       "tenon::as: 'batch': expected 1..8, got 16 (\"batch=1..8 _\")", ShapeError);
  CHECK_THROWS_WITH_AS((as<"n n">(counted<Float32<"3 _">>(4))),
                       "tenon::as: 'n': expected 3, got 4 (\"n n\")", ShapeError);
  CHECK_THROWS_WITH_AS((as<"batch n n+1">(counted<Float32<"batch _ _">>(1, 3, 5))),
                       "tenon::as: 'axis 2': expected n+1 = 4, got 5 (\"batch n n+1\")",
                       ShapeError);
}

TEST_CASE("size by name, by index and of several axes") {
  auto const x = counted<Float32<"batch height=28 width=27">>(5);
  CHECK(size<"batch">(x) == 5);
  CHECK(size<"height">(x) == 28);
  CHECK(size<-1>(x + x) == 27);
  CHECK(size<"batch width">(x) == 135);
}

}  // namespace

}  // namespace moves_test
