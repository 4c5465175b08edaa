#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

namespace halves_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// Numbers between -2 and 2, of a 16-bit dtype.
template <TensorType E>
E spread(std::int64_t from, auto... sizes) {
  using T = typename E::value_type;
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<T>(static_cast<double>((i * 37 + from) % 401) / 100 - 2);
  return x;
}

template <class T>
double number(T x) {
  return static_cast<double>(x);
}

/// A 16-bit number as an integer, such that adjacent numbers differ by one.
template <HalfType T>
int place(T x) {
  int const magnitude = x.bits & 0x7fff;
  return (x.bits & 0x8000) != 0 ? -magnitude : magnitude;
}
/// Equal within one unit in the last place; near zero, within the rounding error of float sums.
template <HalfType T>
bool is_near(T got, double expected) {
  return std::abs(place(got) - place(T(expected))) <= 1 || std::abs(number(got) - expected) < 1e-4;
}

template <TensorType E>
bool same_bits(E const& a, auto const& b) {
  bool same = a.sizes() == b.sizes();
  for (std::int64_t i = 0; same && i < a.size(); ++i) same = a.data()[i].bits == b.data()[i].bits;
  return same;
}

/// A formula of two matrices on both devices.
template <class T, class F>
void check_devices(F const& f) {
  auto const fast = eval(f(spread<Tensor<T, "n m", Cpu>>(0, 7, 83),  //
                           spread<Tensor<T, "n m", Cpu>>(5, 7, 83)));
  auto const naive = eval(f(spread<Tensor<T, "n m", Reference>>(0, 7, 83),
                            spread<Tensor<T, "n m", Reference>>(5, 7, 83)));
  CHECK(same_bits(fast, naive));
}

template <class T>
void check_map() {
  auto const formula = [](auto const& a, auto const& b) { return relu(a * b + a) * 0.1f; };
  check_devices<T>(formula);
  auto const a = spread<Tensor<T, "n">>(0, 61), b = spread<Tensor<T, "n">>(7, 61);
  auto const y = eval(formula(a, b));
  bool right = true;
  for (int i = 0; i < 61; ++i) {
    auto const x = static_cast<float>(a(i));
    float const sum = x * static_cast<float>(b(i)) + x;
    right = right && y(i).bits == T((sum > 0 ? sum : 0) * 0.1f).bits;
  }
  CHECK(right);
}

template <class T>
void check_reductions() {
  auto const x = spread<Tensor<T, "n m">>(3, 5, 1001);
  auto const total = eval(sum<-1>(x)), average = eval(mean<-1>(x));
  auto const columns = eval(sum<0>(x));
  auto const shares = eval(softmax<-1>(x));
  for (int i = 0; i < 5; ++i) {
    double sum = 0, powers = 0, most = 0;
    for (int j = 0; j < 1001; ++j) {
      sum += number(x(i, j));
      powers += std::exp(number(x(i, j)));
      most = std::max(most, number(x(i, j)));
    }
    CHECK(is_near(total(i), sum));
    CHECK(is_near(average(i), sum / 1001));
    bool near = true;
    for (int j = 0; j < 1001; ++j)
      near = near && is_near(shares(i, j), std::exp(number(x(i, j))) / powers);
    CHECK(near);
    CHECK(number(x(i, eval(argmax<-1>(x))(i))) == most);
  }
  double column = 0;
  for (int i = 0; i < 5; ++i) column += number(x(i, 77));
  CHECK(is_near(columns(77), column));
}

/// The dot product of row i of a and column j of b.
double dot(auto const& a, auto const& b, int i, int j) {
  double sum = 0;
  for (int p = 0; p < static_cast<int>(at(a.sizes(), 1)); ++p)
    sum += number(a(i, p)) * number(b(p, j));
  return sum;
}

}  // namespace

TEST_CASE("a formula of 16-bit numbers is computed in float and rounded once") {
  check_map<bfloat16>();
  check_map<float16>();
}

TEST_CASE("only stored values and explicit casts are rounded in between") {
  auto const a = spread<BFloat16<"n">>(0, 40);
  auto const once = eval(a * 1.01f * 1.01f), twice = eval(to<bfloat16>(a * 1.01f) * 1.01f);
  auto const stored = eval(eval(a * 1.01f) * 1.01f);
  CHECK(same_bits(twice, stored));
  CHECK(!same_bits(once, stored));
}

TEST_CASE("NaN, infinities, zeros and subnormals of bfloat16 pass through a kernel") {
  auto x = zeros<BFloat16<"n">>(20);
  for (int i = 0; i < 20; ++i) x(i) = bfloat16::from_bits(static_cast<std::uint16_t>(i));
  x(3) = bfloat16::from_bits(0x7f80);
  x(4) = bfloat16::from_bits(0xff81);
  x(5) = bfloat16(-0.0f);
  auto const y = eval(x * 1.0f);
  CHECK(y(1).bits == 1);
  CHECK(y(19).bits == 19);
  CHECK(y(3).bits == 0x7f80);
  CHECK(y(4).bits == 0xffc0);
  CHECK(y(5).bits == 0x8000);
  CHECK(eval(x * 1e30f * 1e30f)(18).bits != 0x7f80);
  CHECK(eval(to<float16>(x))(3).bits == 0x7c00);
}

TEST_CASE("reductions of 16-bit numbers accumulate in float and round once") {
  check_reductions<bfloat16>();
  check_reductions<float16>();
}

TEST_CASE("matmuls of 16-bit numbers accumulate in float and fuse elementwise maps") {
  auto const a = spread<BFloat16<"n k">>(1, 19, 70);
  auto const b = spread<BFloat16<"m k">>(2, 33, 70);
  auto const bias = spread<BFloat16<"m">>(3, 33);
  auto const plain = eval(matmul(a, transpose(b)));
  auto const activated = eval(relu(matmul(a, transpose(b)) + bias));
  auto const t = eval(transpose(b));
  bool near = true;
  for (int i = 0; i < 19; ++i) {
    for (int j = 0; j < 33; ++j) {
      double const sum = dot(a, t, i, j), biased = sum + number(bias(j));
      near = near && is_near(plain(i, j), sum);
      near = near && is_near(activated(i, j), biased > 0 ? biased : 0);
    }
  }
  CHECK(near);
}

TEST_CASE("small tensors of 16-bit numbers are evaluated at compile time") {
  constexpr auto x = eval(to<bfloat16>(Float32<"2 2">{{1, 2}, {3, 4}}));
  constexpr auto y = eval(x * x + 0.1f);
  static_assert(y(1, 1).bits == bfloat16(16.1f).bits);
  static_assert(matmul(x, x)(1, 1).bits == bfloat16(22.0f).bits);
  auto const run_time = x;
  CHECK(same_bits(eval(run_time * run_time + 0.1f), y));
  CHECK(number(eval(matmul(run_time, run_time))(1, 0)) == 15);
  CHECK(number(eval(sum(run_time))()) == 10);
}

TEST_CASE("gradients of 16-bit leaves accumulate in float and are rounded at the end") {
  auto const a = spread<BFloat16<"n m">>(0, 9, 40);
  auto const b = spread<BFloat16<"m k">>(5, 40, 6);
  auto const loss = [](auto const& x, auto const& y) {
    return to<float>(sum(square(matmul(softmax<-1>(x * 0.5f), y)) * 0.1f)) + to<float>(sum(x));
  };
  auto const [value, derivative] = value_and_grad([&](auto const& x) { return loss(x, b); })(a);
  auto const wide = eval(to<float>(a));
  auto const [of_float, expected] =
      value_and_grad([&](auto const& x) { return loss(x, eval(to<float>(b))); })(wide);
  CHECK(value() == doctest::Approx(of_float()).epsilon(0.02));
  bool near = true;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 40; ++j)
      near = near && std::abs(number(derivative(i, j)) - number(expected(i, j))) < 0.01;
  CHECK(near);
}

TEST_CASE("an adjoint with many contributions loses no precision") {
  auto const x = spread<BFloat16<"n">>(0, 4000);
  auto const grow = [](auto const& scale) {
    return sum(to<float>(ones<BFloat16<"n">>(4000) * scale));
  };
  auto const [value, derivative] = value_and_grad(grow)(eval(to<bfloat16>(Float32<"">(1.0f))));
  CHECK(number(derivative()) == 4000);
}

TEST_CASE("16-bit numbers can be concatenated, gathered, and written through views") {
  auto const a = spread<Float16<"n m">>(0, 4, 10), b = spread<Float16<"n m">>(9, 4, 10);
  auto const both = eval(concat<0>(a + b, b));
  CHECK(both(2, 3).bits == eval(a + b)(2, 3).bits);
  CHECK(both(6, 3).bits == b(2, 3).bits);
  auto const ids = Int32<"2">{3, 1};
  CHECK(eval(take<0>(a, ids) * 2.0f)(0, 5).bits == float16(2 * number(a(3, 5))).bits);
  std::vector<float16> memory(40);
  assign(view<Float16<"n m">>(memory.data(), 4, 10), a - b);
  CHECK(memory[13].bits == eval(a - b)(1, 3).bits);
  CHECK((a < b)(1, 3) == (number(a(1, 3)) < number(b(1, 3))));
  CHECK((a + b)(1, 3).bits == eval(a + b)(1, 3).bits);
}

TEST_CASE("scans and second derivatives accept 16-bit numbers") {
  auto const x = eval(to<bfloat16>(Float32<"3">{1, 2, 3}));
  CHECK(same_bits(cumsum<0>(x), eval(to<bfloat16>(Float32<"3">{1, 3, 6}))));
  auto const cubes = [](auto const& at) { return sum(to<float>(at * at * at)); };
  CHECK(same_bits(hvp(cubes, x, x), eval(to<bfloat16>(Float32<"3">{6, 24, 54}))));
}

}  // namespace halves_test
