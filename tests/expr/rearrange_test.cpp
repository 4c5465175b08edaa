#include <tenon/expr/view/rearrange.hpp>

#include "counting.hpp"

namespace rearrange_test {

namespace {

using namespace counting;

/// Element (i, j, k) of a counted 2 x 3 x 8 tensor.
constexpr auto element = [](auto i, auto j, auto k) { return 24 * i + 8 * j + k; };

TEST_CASE_TEMPLATE("rearrange splits and permutes, as for the heads of attention", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"batch t embed", D>>(2, 3, 8);
  auto const y = rearrange<"b t (h=4 d) -> b h t d">(x);
  CHECK(spec(y) == "b h=4 t d");
  CHECK(elements(y) == loop(8, 3, 2, [](auto bh, auto t, auto d) {
          return element(bh / 4, t, 2 * (bh % 4) + d);
        }));
  auto const back = rearrange<"b h t d -> b t (h d)">(y);
  CHECK(spec(back) == "b t 4*d");
  CHECK(elements(back) == elements(x));
  CHECK(elements(rearrange<"b t (h d=2) -> (t b) d h">(x + x)) ==
        loop(6, 2, 4,
             [](auto tb, auto d, auto h) { return 2 * element(tb % 2, tb / 2, 2 * h + d); }));
  CHECK(y(1, 3, 2, 1) == element(1, 2, 7));
}

TEST_CASE_TEMPLATE("rearrange of a tensor without a change of order copies nothing", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"batch t=3 embed=80", D>>(2);
  auto const before = kernels_run;
  CHECK(rearrange<"b t (h=8 d) -> b t h d">(x).data() == x.data());
  CHECK(rearrange<"b t e -> (b t) e">(x).data() == x.data());
  CHECK(rearrange<"b t e -> b 1 t e">(x).data() == x.data());
  CHECK(rearrange<"b t (h=8 d) -> (b t h) d">(x).data() == x.data());
  CHECK(kernels_run == before);
  CHECK(spec(rearrange<"b t (h=8 d) -> (b t h) d">(x)) == "24*b d=10");
  CHECK(spec(rearrange<"b t e -> b 1 t e">(x)) == "b 1 t=3 e=80");
}

TEST_CASE_TEMPLATE("rearrange stays an expression where axes are only permuted", D, Cpu,
                   Reference) {
  auto const x = counted<Float32<"i j k", D>>(2, 3, 8);
  auto const before = kernels_run;
  auto const permuted = rearrange<"i j k -> k i j">(x + x);
  auto const outer = rearrange<"i j k -> i 1 j k">(x + x);
  CHECK(kernels_run == before);
  CHECK(elements(permuted) ==
        loop(8, 2, 3, [](auto k, auto i, auto j) { return 2 * element(i, j, k); }));
  CHECK(spec(outer) == "i 1 j k");
  CHECK(elements(outer) == elements(x + x));
  CHECK(elements(rearrange<"... m -> m ...">(permuted)) ==
        loop(3, 8, 2, [](auto j, auto k, auto i) { return 2 * element(i, j, k); }));
}

TEST_CASE_TEMPLATE("a matmul reads a permuted operand without a copy", D, Cpu, Reference) {
  auto const x = counted<Float32<"b t e=4", D>>(2, 3);
  auto const heads = rearrange<"b t (h=2 d) -> b h t d">(x);
  auto const before = kernels_run;
  auto const y = eval(matmul(heads, transpose(heads)));
  CHECK(kernels_run == before + 1);
  CHECK(elements(y) == loop(4, 3, 3, [](auto bh, auto i, auto j) {
          double sum = 0;
          for (std::int64_t d = 0; d < 2; ++d) {
            auto const at = 12 * (bh / 2) + 2 * (bh % 2) + d;
            sum += static_cast<double>((at + 4 * i) * (at + 4 * j));
          }
          return sum;
        }));
}

TEST_CASE_TEMPLATE("axes of size one are added and removed", D, Cpu, Reference) {
  auto const x = counted<Float32<"n one", D>>(3, 1);
  CHECK(spec(rearrange<"n 1 -> n">(x)) == "n");
  CHECK(elements(rearrange<"n 1 -> 1 n 1">(x)) == std::vector<double>{0, 1, 2});
  CHECK(elements(rearrange<"(n 1) m -> m (1 n)">(x * 2)) == std::vector<double>{0, 2, 4});
  CHECK(spec(rearrange<"-> 1 1">(Float32<"", D>(5))) == "1 1");
  CHECK(elements(rearrange<"-> 1 1">(Float32<"", D>(5))) == std::vector<double>{5});
}

TEST_CASE("run-time sizes that are not divisible throw") {
  auto const x = counted<Float32<"n m">>(3, 10);
  CHECK_THROWS_WITH_AS((rearrange<"n (h=4 d) -> n h d">(x)),
                       "tenon::rearrange: 'axis 1': expected a multiple of 4, got 10", ShapeError);
  CHECK_THROWS_AS((rearrange<"n 1 -> n">(x)), ShapeError);
  CHECK_THROWS_AS((repeat<"n=2 m -> n m c=3">(x)), ShapeError);
  CHECK_THROWS_AS((reduce<"n (h=4 d) -> n", op::sum>(x)), ShapeError);
}

TEST_CASE_TEMPLATE("reduce reduces over the axes that are not on the right", D, Cpu, Reference) {
  auto const x = counted<Float32<"b t e", D>>(2, 3, 8);
  CHECK(spec(reduce<"b t e -> e b", op::sum>(x)) == "e b");
  CHECK(elements(reduce<"b t e -> e b", op::sum>(x)) ==
        loop(1, 8, 2, [](auto, auto e, auto b) { return 3 * element(b, 1, e); }));
  CHECK(elements(reduce<"b t e -> b 1 e", op::mean>(x)) ==
        loop(1, 2, 8, [](auto, auto b, auto e) { return element(b, 1, e); }));
  CHECK(elements(reduce<"b t (h=4 d) -> b h", op::max>(x)) ==
        loop(1, 2, 4, [](auto, auto b, auto h) { return element(b, 2, 2 * h + 1); }));
  CHECK(elements(reduce<"b t (h=4 d) -> (h b)", op::min>(x - 1)) ==
        loop(1, 4, 2, [](auto, auto h, auto b) { return element(b, 0, 2 * h) - 1; }));
  CHECK(elements(reduce<"b ... -> b", op::max>(x)) == std::vector<double>{23, 47});
  CHECK(elements(reduce<"... -> ", op::mean>(x)) == std::vector<double>{23.5});
  CHECK(elements(reduce<"b t e -> e t b", op::sum>(x)) == elements(rearrange<"b t e -> e t b">(x)));
}

TEST_CASE_TEMPLATE("the mean of integers and of masks is a float", D, Cpu, Reference) {
  auto const x = counted<Int32<"n m", D>>(2, 2);
  CHECK(elements(reduce<"n m -> n", op::mean>(x)) == std::vector<double>{0.5, 2.5});
  CHECK(elements(reduce<"n m -> n", op::mean>(x > 0)) == std::vector<double>{0.5, 1});
  CHECK(elements(reduce<"n m -> n", op::sum>(x)) == std::vector<double>{1, 5});
}

TEST_CASE_TEMPLATE("repeat adds axes", D, Cpu, Reference) {
  auto const x = counted<Float32<"h w", D>>(2, 3);
  auto const before = kernels_run;
  auto const y = repeat<"h w -> h w c=3">(x);
  CHECK(kernels_run == before);
  CHECK(spec(y) == "h w c=3");
  CHECK(elements(y) == loop(2, 3, 3, [](auto h, auto w, auto) { return 3 * h + w; }));
  CHECK(elements(repeat<"h w -> (s=2 h) w">(x + 1)) ==
        loop(2, 2, 3, [](auto, auto h, auto w) { return 3 * h + w + 1; }));
  CHECK(elements(repeat<"h w -> h (w s=2)">(x)) ==
        loop(2, 3, 2, [](auto h, auto w, auto) { return 3 * h + w; }));
}

TEST_CASE("small tensors are rearranged at compile time") {
  constexpr auto x = Float32<"2 2">{{1, 2}, {3, 4}};
  constexpr Float32<"4"> y = rearrange<"a b -> (b a)">(x);
  static_assert(y(0) == 1 && y(1) == 3 && y(2) == 2 && y(3) == 4);
  constexpr Float32<"2"> z = reduce<"a b -> b", op::sum>(x);
  static_assert(z(0) == 4 && z(1) == 6);
  CHECK(elements(y) == std::vector<double>{1, 3, 2, 4});
}

}  // namespace

}  // namespace rearrange_test
