#include <doctest/doctest.h>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

#include <string>

namespace join_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

constexpr auto square2 = Float32<"2 2">{{1, 2}, {3, 4}};
static_assert(concat<0>(square2, square2)(3, 1) == 4);
static_assert(concat<-1>(square2, square2 + 1.0f)(1, 3) == 5);
static_assert(stack<"layer">(square2, square2 * 2.0f)(1, 1, 0) == 6);
static_assert(stack<"layer", 1>(square2, square2 * 2.0f)(1, 1, 0) == 6);
static_assert(pad<0, 1, 2>(square2, 7)(0, 1) == 7 && pad<0, 1, 2>(square2)(2, 0) == 3);
static_assert(set<0>(square2, 1, Float32<"2">{8, 9})(1, 1) == 9);
static_assert(set<1>(square2, 0, 5)(1, 0) == 5 && square2(1, 0) == 3);

template <Axes axis, class... X>
inline constexpr auto concat_spec = spec_of<decltype(concat<axis>(std::declval<X>()...))>;

static_assert(concat_spec<0, Float32<"n">, Float32<"m">> == Spec("m+n"));
static_assert(concat_spec<"n", Float32<"n=3">, Float32<"n=4">> == Spec("n=7"));
static_assert(concat_spec<"n", Float32<"b n">, Float32<"b=2 n">> == Spec("b=2 n=_"));
static_assert(concat_spec<"n", Float32<"b n">, Float32<"_ 1">> == Spec("b n=n+1"));
static_assert(concat_spec<"m", Float32<"2 _">, Float32<"2 m">> == Spec("2 m=_"));
static_assert(concat_spec<0, Float32<"n">, Float32<"n">, Float32<"n+1">> == Spec("n=_"));
static_assert(concat_spec<"t", Float32<"t=n">, Float32<"t=m">> == Spec("t=m+n"));

template <Spec axis, class... X>
inline constexpr auto stack_spec = spec_of<decltype(stack<axis>(std::declval<X>()...))>;
template <Spec axis, int place, class... X>
inline constexpr auto stack_spec_at = spec_of<decltype(stack<axis, place>(std::declval<X>()...))>;
static_assert(stack_spec<"layer", Float32<"">, Float32<"">> == Spec("layer=2"));
static_assert(stack_spec<"l", Float32<"n m=2">, Float32<"_ m">, Float32<"n 2">> ==
              Spec("l=3 n m=2"));
static_assert(stack_spec_at<"l", 1, Float32<"n m">, Float32<"n m">> == Spec("n l=2 m"));
static_assert(stack_spec_at<"l", -1, Float32<"n m">, Float32<"n m">> == Spec("n m l=2"));
static_assert(stack_spec_at<"l", -3, Float32<"n m">, Float32<"n m">> == Spec("l=2 n m"));

template <Axes axis, std::int64_t before, std::int64_t after, class X>
inline constexpr auto pad_spec = spec_of<decltype(pad<axis, before, after>(std::declval<X>()))>;
static_assert(pad_spec<"t", 1, 1, Float32<"b t">> == Spec("b t=t+2"));
static_assert(pad_spec<"t", 1, 0, Float32<"b t=7">> == Spec("b t=8"));
static_assert(pad_spec<"t", 0, 0, Float32<"b t=7">> == Spec("b t=7"));
static_assert(pad_spec<0, 2, 0, Float32<"_ t">> == Spec("_ t"));

TEST_CASE_TEMPLATE("concat appends operands along an axis", D, Cpu, Reference) {
  auto const a = iota<Float32<"batch t", D>>(2, 3);
  auto const b = iota<Float32<"batch t", D>>(2, 1);
  CHECK(to_string(concat<"t">(a, b)) == "[[0. 1. 2. 0.]\n [3. 4. 5. 1.]]");
  CHECK(to_string(concat<"batch">(a, a)) == to_string(concat<0>(a, a)));
  CHECK(to_string(concat<0>(a, a)) == "[[0. 1. 2.]\n [3. 4. 5.]\n [0. 1. 2.]\n [3. 4. 5.]]");
  CHECK(to_string(concat<0>(a)) == to_string(a));
}

TEST_CASE_TEMPLATE("expressions of every kind are computed directly into their slice", D, Cpu,
                   Reference) {
  auto const a = iota<Float32<"batch=2 t=3", D>>();
  auto const w = iota<Float32<"t=3 u=2", D>>();
  auto const joined = concat<1>(a * 2.0f, mean<"t">(a, keep), matmul(a, w), relu(matmul(a, w)),
                                transpose(iota<Float32<"3 batch=2", D>>()));
  CHECK(to_string(joined) ==
        "[[ 0.  2.  4.  1. 10. 13. 10. 13.  0.  2.  4.]\n"
        " [ 6.  8. 10.  4. 28. 40. 28. 40.  1.  3.  5.]]");
  CHECK(to_string(concat<0>(max<"t">(a), sum<"batch">(a))) == "[2. 5. 3. 5. 7.]");
  CHECK(to_string(concat<0>(argmax<"t">(a), iota<Int32<"n", D>>(2))) == "[2 2 0 1]");
  CHECK(to_string(concat<0>(a<1.0f, a> 4.0f)) ==
        "[[ True False False]\n [False False False]\n [False False False]\n [False False  True]]");
  CHECK(to_string(concat<0>(iota<BFloat16<"n", D>>(2), ones<BFloat16<"m", D>>(1))) == "[0. 1. 1.]");
  CHECK(to_string(concat<0>(iota<Complex64<"n", D>>(2), ones<Complex64<"m", D>>(1))) ==
        "[0.+0.j 1.+0.j 1.+0.j]");
}

TEST_CASE_TEMPLATE("empty operands join", D, Cpu, Reference) {
  auto const a = iota<Float32<"n", D>>(0);
  CHECK(concat<0>(a, a).size() == 0);
  CHECK(to_string(concat<0>(a, iota<Float32<"n", D>>(2), a)) == "[0. 1.]");
  CHECK(stack<"l">(a, a).sizes() == Sizes{2, 0, 1, 1, 1, 1, 1, 1});
  CHECK(to_string(pad<0, 1, 1>(a, 3)) == "[3. 3.]");
}

TEST_CASE_TEMPLATE("large operands are joined like small ones", D, Cpu, Reference) {
  auto const a = iota<Float32<"n 3", D>>(20001);
  auto const b = concat<1>(a, sum<1>(a, keep));
  CHECK(b(20000, 3) == a(20000, 0) + a(20000, 1) + a(20000, 2));
  CHECK(b(20000, 2) == a(20000, 2));
  CHECK(concat<0>(a, -a)(40001, 1) == -a(20000, 1));
}

TEST_CASE_TEMPLATE("stack adds an axis, by default the first", D, Cpu, Reference) {
  auto const a = iota<Float32<"n", D>>(3);
  CHECK(to_string(stack<"layer">(a, a * 10.0f)) == "[[ 0.  1.  2.]\n [ 0. 10. 20.]]");
  CHECK(to_string(stack<"layer">(sum(a), mean(a), max(a))) == "[3. 1. 2.]");
  CHECK(to_string(stack<"layer", 1>(a, a * 10.0f)) == "[[ 0.  0.]\n [ 1. 10.]\n [ 2. 20.]]");
  CHECK(to_string(stack<"layer", -2>(a, a + 1.0f)) == "[[0. 1. 2.]\n [1. 2. 3.]]");
}

TEST_CASE_TEMPLATE("pad surrounds a tensor with a value", D, Cpu, Reference) {
  auto const a = iota<Int32<"n m", D>>(2, 2);
  CHECK(to_string(pad<"n m", 1, 0>(a)) == "[[0 0 0]\n [0 0 1]\n [0 2 3]]");
  CHECK(to_string(pad<"m", 1, 2>(a)) == "[[0 0 1 0 0]\n [0 2 3 0 0]]");
  CHECK(to_string(pad<"n", 1, 0>(a + 1, -1)) == "[[-1 -1]\n [ 1  2]\n [ 3  4]]");
}

TEST_CASE_TEMPLATE("set replaces slices of a copy", D, Cpu, Reference) {
  auto const a = iota<Float32<"batch t", D>>(2, 3);
  CHECK(to_string(set<"t">(a, 1, Float32<"batch", D>{8, 9})) == "[[0. 8. 2.]\n [3. 9. 5.]]");
  CHECK(to_string(set<"batch">(a * 2.0f, 0, sum<"batch">(a))) == "[[ 3.  5.  7.]\n [ 6.  8. 10.]]");
  CHECK(to_string(set<"batch">(a, 1, 0.5)) == "[[0.  1.  2. ]\n [0.5 0.5 0.5]]");
  CHECK(to_string(a) == "[[0. 1. 2.]\n [3. 4. 5.]]");
  auto const two = Int32<"k=2", D>{2, 0};
  auto const values = Float32<"batch k=2", D>{{8, 9}, {1, 2}};
  CHECK(to_string(set<"t">(a, two, values)) == "[[9. 1. 8.]\n [2. 4. 1.]]");
  CHECK(to_string(set<"t">(a, Int64<"k", D>{1, 1}, values)) == "[[0. 9. 2.]\n [3. 2. 5.]]");
}

TEST_CASE("set works in place where no other tensor shares the memory") {
  auto a = iota<Float32<"n m">>(100, 3);
  auto const* const before = a.data();
  auto b = set<"n">(std::move(a), 1, 0);
  CHECK(b.data() == before);
  auto const c = set<"n">(b, 2, 0);
  CHECK(c.data() != before);
  CHECK(b(2, 0) == 6);
}

TEST_CASE("a mismatch of run-time sizes throws") {
  auto const a = iota<Float32<"batch t">>(2, 3);
  auto const b = iota<Float32<"batch t">>(3, 3);
  CHECK_THROWS_WITH_AS(
      concat<"t">(a, b),
      "tenon::concat: 'batch': expected 2, got 3 (run-time sizes of \"batch t=_\")", ShapeError);
  CHECK_THROWS_AS(stack<"l">(a, b), ShapeError);
  CHECK_THROWS_WITH_AS(set<"t">(a, 3, 0), "tenon::set: expected ids from 0 to 2, got 3 (id 0)",
                       IndexError);
  CHECK_THROWS_AS(set<"t">(a, -1, 0), IndexError);
  CHECK_THROWS_WITH_AS(set<"t">(a, 0, iota<Float32<"batch">>(3)),
                       "tenon::set: 'batch': expected 2, got 3 (run-time sizes of \"batch\")",
                       ShapeError);
  CHECK_THROWS_AS(set<"t">(a, Int32<"n">{0}, iota<Float32<"batch n">>(2, 2)), ShapeError);
  CHECK_THROWS_AS(set<"t">(a, Int32<"n">{3}, iota<Float32<"batch n">>(2, 1)), IndexError);
}

}  // namespace

TEST_CASE("a padded tensor is copied as a padded expression is computed") {
  using Images = Float32<"batch channel height width">;
  auto const check = [](Images const& x) {
    Images const zero = zeros_like(x);
    auto const equal = [](auto const& a, auto const& b) { return all(a == b).item(); };
    CHECK(equal(pad<"height width", 1, 2>(x), pad<"height width", 1, 2>(x + zero)));
    CHECK(equal(pad<"batch", 2, 0>(x, 3.0f), pad<"batch", 2, 0>(x + zero, 3.0f)));
    CHECK(equal(pad<"channel", 0, 0>(x), x));
    CHECK(equal(pad<"channel width", 0, 1>(x), pad<"channel width", 0, 1>(x + zero)));
  };
  int const before = threads();
  for (int const number : {1, 3}) {
    set_threads(number);
    check(uniform<Images>(Key{1}, 3, 2, 5, 7));
    check(uniform<Images>(Key{2}, 1, 1, 1, 1));
    check(uniform<Images>(Key{3}, 70, 20, 9, 31));
    check(zeros<Images>(0, 2, 3, 3));
    check(zeros<Images>(2, 3, 0, 3));
  }
  set_threads(before);
}

}  // namespace join_test
