#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

namespace evaluate_together_test {

using namespace tenon;

namespace {

/// Distinct numbers, both signs.
template <TensorType E>
E some(int seed, auto... sizes) {
  E x = zeros<E>(sizes...);
  x.set_elements([&](auto* to) {
    for (std::int64_t i = 0; i < x.size(); ++i)
      to[i] = static_cast<typename E::value_type>(static_cast<float>((i * 37 + seed) % 101 - 50) /
                                                  8.0f);
  });
  return x;
}

template <TensorType E>
bool same_bits(E const& a, E const& b) {
  return a.sizes() == b.sizes() &&
         std::memcmp(a.data(), b.data(),
                     static_cast<std::size_t>(a.size()) * sizeof(typename E::value_type)) == 0;
}

template <class F>
std::int64_t kernels(F const& f) {
  std::int64_t const before = kernels_run;
  f();
  return kernels_run - before;
}

template <class T, class D>
void check_dtype(std::int64_t n) {
  using X = Tensor<T, "n", D>;
  X const x = some<X>(1, n), y = some<X>(5, n);
  auto const [sum, product, both, less] = eval(
      x + y, x * y, [&](X const& s, X const& p) { return (s - p) * x; }, x < y);
  X const s = x + y, p = x * y;
  CHECK(same_bits(sum, s));
  CHECK(same_bits(product, p));
  CHECK(same_bits(both, X((s - p) * x)));
  CHECK(same_bits(less, eval(x < y)));
}

template <class D>
void check_dtypes(std::int64_t n) {
  check_dtype<float, D>(n);
  check_dtype<double, D>(n);
  check_dtype<bfloat16, D>(n);
  check_dtype<float16, D>(n);
  check_dtype<std::int32_t, D>(n);
}

}  // namespace

TEST_CASE("eval of several expressions gives the bits of each, for every dtype and length") {
  for (std::int64_t const n : {0, 1, 3, 7, 8, 15, 16, 17, 33, 100, 40000}) check_dtypes<Cpu>(n);
  check_dtypes<Reference>(19);
}

TEST_CASE("several maps over the same axes are one kernel") {
  auto const x = some<Float32<"a b">>(1, 37, 41), y = some<Float32<"a b">>(2, 37, 41);
  auto const bias = some<Float32<"b">>(3, 41);
  auto const column = some<Float32<"a">>(4, 37);
  auto const scalar = some<Float32<"">>(5);
  auto const square = some<Float32<"a b">>(1, 41, 41);
  CHECK(kernels([&] { eval(x + y, x * y, x - y); }) == 1);
  auto const [a, b, c] = eval(x + bias, exp(y) * scalar, [&](auto const& s, auto const& e) {
    return s * e + rearrange<"a -> a 1">(column);
  });
  CHECK(same_bits(a, eval(x + bias)));
  CHECK(same_bits(b, eval(exp(y) * scalar)));
  CHECK(same_bits(c, eval(a * b + rearrange<"a -> a 1">(column))));
  auto const turned = [&] { return rearrange<"a b -> b a">(square); };
  auto const plain = rename<"a -> b, b -> a">(square);
  CHECK(kernels([&] {
          auto const [s, d] = eval(turned() + plain, turned() - plain);
          CHECK(same_bits(s, eval(turned() + plain)));
          CHECK(same_bits(d, eval(turned() - plain)));
        }) == 3);
}

TEST_CASE("what is not elementwise is evaluated one after another") {
  auto const x = some<Float32<"a b">>(1, 20, 20);
  auto const [p, d] = eval(matmul(x, rename<"a -> b, b -> c">(x)) + 1,
                           [&](auto const& r) { return softmax<1>(r); });
  CHECK(same_bits(d, eval(softmax<1>(p))));
  auto const [s, flipped] = eval(x + 1, [](auto const& r) { return flip<"a">(r) + r; });
  CHECK(same_bits(flipped, eval(flip<"a">(s) + s)));
  auto const [same, twice] = eval(x, 2 * x);
  CHECK(same.data() == x.data());
  CHECK(twice(3, 4) == 2 * x(3, 4));
}

TEST_CASE("an operand that nothing else holds gives its memory to a result") {
  using X = Float32<"n">;
  X m = some<X>(1, 1000), v = some<X>(2, 1000);
  X const g = some<X>(3, 1000), old_m = X(m + 0), old_v = X(v + 0);
  float const* const of_m = m.data();
  float const* const of_v = v.data();
  auto const [next_m, next_v, step] = eval(0.9f * std::move(m) + g, 0.5f * std::move(v) + g * g,
                                           [](X const& a, X const& b) { return a / (b + 1); });
  CHECK(next_m.data() == of_m);
  CHECK(next_v.data() == of_v);
  CHECK(same_bits(next_m, X(0.9f * old_m + g)));
  CHECK(same_bits(next_v, X(0.5f * old_v + g * g)));
  CHECK(same_bits(step, X(next_m / (next_v + 1))));
}

TEST_CASE("a copy, a named expression and a later argument keep the values of an operand") {
  using X = Float32<"n">;
  X x = some<X>(1, 100);
  X const copy = x, old = X(x + 0);
  auto const [a, b] = eval(2 * std::move(x), copy + 1);
  CHECK(same_bits(copy, old));
  CHECK(same_bits(b, X(old + 1)));

  X y = X(old + 0);
  auto const named = 2 * std::move(y);
  auto const [c, d] = eval(named, 3 * old);
  CHECK(same_bits(c, X(2 * old)));
  CHECK(same_bits(eval(named), X(2 * old)));

  X z = X(old + 0);
  auto later = z + 1;
  auto const [e, f] = eval(2 * std::move(z), std::move(later));
  CHECK(same_bits(e, X(2 * old)));
  CHECK(same_bits(f, X(old + 1)));
  CHECK(same_bits(a, e));
  CHECK(same_bits(d, X(3 * old)));

  X w = X(old + 0);
  std::tie(w, z) = eval(w * 2, [&](X const& doubled) { return doubled + w; });
  CHECK(same_bits(w, X(2 * old)));
  CHECK(same_bits(z, X(2 * old + old)));
}

TEST_CASE("an operand of another dtype or with repeated elements is not overwritten") {
  using I = Int32<"a=2 b">;
  auto whole = some<I>(1, 50);
  auto const old = eval(whole + 0);
  auto const [x, n] = eval(to<float>(std::move(whole)) + 0.5f, 2.0f * to<float>(old));
  CHECK(x(1, 49) == static_cast<float>(old(1, 49)) + 0.5f);
  auto row = some<Int64<"b=3">>(2);
  auto const rows = eval(row + 0);
  auto const grid = some<Float32<"a=30 b=3">>(1);
  auto const [s, t] = eval(to<float>(std::move(row)) + grid, grid * grid);
  CHECK(s(29, 2) == static_cast<float>(rows(2)) + grid(29, 2));
  CHECK(n(0, 0) == 2.0f * static_cast<float>(old(0, 0)));
  CHECK(t(3, 1) == grid(3, 1) * grid(3, 1));
}

TEST_CASE("NaN and infinity go through several results as through one") {
  Float32<"n"> x = some<Float32<"n">>(1, 50);
  x(3) = std::numeric_limits<float>::quiet_NaN();
  x(11) = std::numeric_limits<float>::infinity();
  x(12) = -0.0f;
  auto const [a, b] = eval(1 / x, [&](auto const& inverse) { return maximum(inverse, x); });
  CHECK(same_bits(a, eval(1 / x)));
  CHECK(same_bits(b, eval(maximum(a, x))));
}

TEST_CASE("several results of inline tensors, also in constant expressions") {
  constexpr auto sums = [] {
    Float32<"n=3"> const x{1, 2, 3}, y{4, 5, 6};
    auto const [a, b] = eval(x + y, [&](auto const& s) { return s * y; });
    return a(0) + b(2);
  }();
  static_assert(sums == 5 + 54);
  Float32<"n=3"> const x{1, 2, 3};
  auto const [a, b] = eval(x * 2, x + 1);
  CHECK((a(2) == 6 && b(2) == 4));
}

TEST_CASE("several results have the same bits for every number of threads, also past the caches") {
  using X = Float32<"n">;
  X const x = some<X>(1, 5000003), y = some<X>(2, 5000003);
  auto const compute = [&](int threads) {
    internal::set_threads(threads);
    return eval(x * y + 1, tanh(x), x - y);
  };
  auto const [a, b, c] = compute(1);
  auto const [d, e, f] = compute(4);
  internal::set_threads(1);
  CHECK((same_bits(a, d) && same_bits(b, e) && same_bits(c, f)));
  CHECK(same_bits(a, X(x * y + 1)));
  CHECK(same_bits(c, X(x - y)));
}

TEST_CASE("gradients of several results are those of each") {
  using X = Float64<"n">;
  X const x = some<X>(1, 40), y = some<X>(2, 40);
  auto const together = [&](X const& v) {
    auto const [a, b] = eval(v * y, [&](X const& p) { return sin(p) * v; });
    return sum(a * b);
  };
  auto const apart = [&](X const& v) {
    X const a = v * y, b = sin(a) * v;
    return sum(a * b);
  };
  CHECK(same_bits(grad(together)(x), grad(apart)(x)));
  auto const twice = [&](auto const& f) {
    return grad([&](X const& v) { return sum(square(grad(f)(v))); })(x);
  };
  CHECK(same_bits(twice(together), twice(apart)));
}

TEST_CASE("a gradient is not lost where a result could have the memory of an operand") {
  using X = Float32<"n">;
  X const x = some<X>(1, 100);
  auto const f = [](X const& v) {
    X inner = v * 3;
    auto const [a, b] = eval(square(std::move(inner)), [](X const& s) { return 2 * s; });
    return sum(a + b);
  };
  CHECK(same_bits(grad(f)(x), X(2.0f * (3.0f * x) * 3.0f * 3.0f)));
}

TEST_CASE("run-time sizes that differ are refused") {
  auto const x = zeros<Float32<"n">>(3), y = zeros<Float32<"n">>(4);
  CHECK_THROWS_WITH_AS(eval(x + 1, y + 1),
                       "tenon::eval: 'n': expected 3, got 4 (run-time sizes of \"n\")", ShapeError);
  CHECK_THROWS_AS(eval(softmax<"n">(x), y + 1), ShapeError);
}

}  // namespace evaluate_together_test
