// Inline tensors are evaluated by loops of constant length: the same bits and gradients as those of
// kernels, and no allocation.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include <tenon/tenon.hpp>

namespace held_test {

using namespace tenon;

namespace {

/// Elements of every kind: ordinary numbers, zeros, infinities, a NaN, subnormal numbers.
template <TensorType E>
E some(double shift, auto... sizes) {
  using L = std::numeric_limits<double>;
  double const odd[] = {0.0, -0.0, L::infinity(), -L::infinity(), L::quiet_NaN(), 1e-41, 3e38};
  E x = zeros<E>(sizes...);
  auto* const to = x.own_memory();
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double const ordinary = double((i * 37 + 11) % 29) / 7 - 2 + shift;
    to[i] = static_cast<typename E::value_type>(i % 5 == 3 ? odd[i / 5 % 7] : ordinary);
  }
  return x;
}

bool is_same_bits(auto const& a, auto const& b) {
  CHECK(a.size() == b.size());
  return std::memcmp(a.data(), b.data(), sizeof(*a.data()) * static_cast<std::size_t>(a.size())) ==
         0;
}

/// A formula of three operands, over inline tensors and over tensors in allocated memory.
template <class T, class F>
void expect_same_bits(F const& f) {
  using Held = Tensor<T, "row=3 column=5">;
  using Row = Tensor<T, "column=5">;
  auto const a = some<Held>(0), b = some<Held>(0.3);
  auto const c = some<Row>(0.1);
  Tensor<T, "row column"> const x = a, y = b;
  Tensor<T, "column"> const z = c;
  CHECK(is_same_bits(eval(f(a, b, c)), eval(f(x, y, z))));
}

template <class T>
void expect_same_bits_of_formulas() {
  expect_same_bits<T>([](auto& a, auto& b, auto& c) { return a * b + c; });
  expect_same_bits<T>([](auto& a, auto& b, auto& c) { return -(a - T(2) * c) / square(b); });
  expect_same_bits<T>([](auto& a, auto& b, auto& c) { return relu(max(a, b) - min(b, c)); });
  expect_same_bits<T>([](auto& a, auto&, auto& c) { return exp(a) * tanh(c); });
  expect_same_bits<T>([](auto& a, auto& b, auto& c) { return where(a < c, sqrt(abs(b)), c); });
  expect_same_bits<T>([](auto& a, auto& b, auto&) { return transpose(a) + transpose(log(b)); });
  expect_same_bits<T>([](auto& a, auto& b, auto& c) {
    return slice<"row", 1, 3>(slice<"column", 1, 4>(a * b + c)) - slice<0, 0, 2>(slice<1, 2, 5>(b));
  });
  expect_same_bits<T>([](auto& a, auto&, auto&) { return to<std::int32_t>(floor(abs(a))); });
}

template <TensorType E>
auto on_reference(E const& x) {
  Tensor<typename E::value_type, E::spec, Reference> result;
  std::copy_n(x.data(), x.size(), result.own_memory());
  return result;
}

/// A matmul, compared with naive loops.
template <class F, TensorType A, TensorType B>
void expect_near(F const& f, A const& a, B const& b) {
  auto const got = eval(f(a, b));
  auto const expected = eval(f(on_reference(a), on_reference(b)));
  for (std::int64_t i = 0; i < got.size(); ++i)
    CHECK(got.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-5));
}

template <TensorType E>
E ordinary(double shift) {
  E x;
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.own_memory()[i] = static_cast<typename E::value_type>(double(i * 7 % 11) - 4 + shift);
  return x;
}

template <class T>
void expect_same_bits_of_reductions() {
  expect_same_bits<T>([](auto& a, auto& b, auto& c) { return sum(a * b + c); });
  expect_same_bits<T>([](auto& a, auto& b, auto&) { return max<"row">(a) - min<"row">(b); });
  expect_same_bits<T>([](auto& a, auto& b, auto&) { return a - mean<"column">(a * b, keep); });
  expect_same_bits<T>([](auto& a, auto& b, auto&) { return sum(transpose(a) * transpose(b)); });
  expect_same_bits<T>([](auto& a, auto&, auto&) { return prod<"row">(a); });
  expect_same_bits<T>([](auto& a, auto& b, auto&) { return any<"row">(a < b); });
  expect_same_bits<T>([](auto& a, auto&, auto& c) { return max(sum<"column">(a), sum(c)); });
  expect_same_bits<T>([](auto& a, auto&, auto&) { return argmax<"column">(a); });
}

}  // namespace

TEST_CASE("inline tensors give the bits that kernels give") {
  expect_same_bits_of_formulas<float>();
  expect_same_bits_of_formulas<double>();
}

TEST_CASE("reductions of inline tensors give the bits that kernels give") {
  expect_same_bits_of_reductions<float>();
  expect_same_bits_of_reductions<double>();
  auto const x = some<Float32<"a=2 b=3 c=2 d=4">>(0.3);
  Float32<"a b c d"> const y = x;
  CHECK(is_same_bits(eval(sum<"a c">(x)), eval(sum<"a c">(y))));
  CHECK(is_same_bits(eval(sum<"b d">(x)), eval(sum<"b d">(y))));
  auto const w = some<Float32<"d=4">>(0.2);
  Float32<"d"> const v = w;
  CHECK(is_same_bits(eval(sum<"a">(x * w)), eval(sum<"a">(y * v))));
  CHECK(is_same_bits(eval(max<"b">(x + w)), eval(max<"b">(y + v))));
  auto const turned = rearrange<"a b c d -> b d a c">(x);
  CHECK(is_same_bits(eval(prod<"b">(turned + w(0))),
                     eval(prod<"b">(rearrange<"a b c d -> b d a c">(y) + w(0)))));
  CHECK(eval(sum(Float32<"0">())).item() == 0);
  CHECK(eval(sum<0>(Float32<"0 3">()))(2) == 0);
  CHECK(eval(max(Int8<"200">() + std::int8_t(3))).item() == 3);
}

TEST_CASE("recording changes no bit of the value") {
  auto const a = ordinary<Float32<"row=3 column=5">>(0.3);
  auto const f = [](auto const& x) {
    Float32<"row=3 column=5"> const y = softmax<"column">(x * x);
    return sum(log(y) * y) + max(x) / sum(exp(y));
  };
  CHECK(is_same_bits(value_and_grad(f)(a).first, eval(f(a))));
  Float32<"row column"> const b = a;
  Float32<"row column"> const held = softmax<"column">(a), other = softmax<"column">(b);
  CHECK(allclose(held, other));
}

TEST_CASE("integers, masks and scalars can be inline tensors") {
  Int32<"4"> const a{1, -2, 3, std::numeric_limits<std::int32_t>::max()};
  auto const b = eval(a * a + 1);
  CHECK((b(0) == 2 && b(1) == 5 && b(2) == 10 && b(3) == 2));
  auto const m = eval(!(a > 0) || a == 3);
  CHECK((!m(0) && m(1) && m(2) && !m(3)));
  Float32<""> const s = 3.0f;
  CHECK(eval(s * s + 1.0f).item() == 10.0f);
  CHECK(eval(Float32<"0">() + 1.0f).size() == 0);
}

TEST_CASE("matmuls of inline operands, contiguous or permuted") {
  auto const product = [](auto const& a, auto const& b) { return matmul(a, b); };
  auto const right = [](auto const& a, auto const& b) { return matmul(a, transpose(b)); };
  auto const left = [](auto const& a, auto const& b) { return matmul(transpose(a), b); };
  auto const part = [](auto const& a, auto const& b) {
    return matmul(slice<0, 1, 3>(a), transpose(slice<1, 1, 3>(b)));
  };
  auto const a = ordinary<Float32<"3 3">>(0), b = ordinary<Float32<"3 3">>(1);
  for (int i = 0; i < 2; ++i) expect_near(product, a, b);
  expect_near(right, a, b);
  expect_near(left, a, b);
  expect_near(product, ordinary<Float64<"8 4">>(0), ordinary<Float64<"4 2">>(2));
  expect_near(product, ordinary<Float64<"5 4">>(0), ordinary<Float64<"4">>(2));
  expect_near(product, ordinary<Float64<"4">>(0), ordinary<Float64<"4 5">>(2));
  expect_near(product, ordinary<Float64<"7">>(0), ordinary<Float64<"7">>(2));
  expect_near(product, ordinary<Float32<"3 2 4">>(0), ordinary<Float32<"4 3">>(2));
  expect_near(product, ordinary<Float32<"2 1 4">>(0), ordinary<Float32<"2 4 3">>(2));
  expect_near(part, ordinary<Float32<"4 2">>(0), ordinary<Float32<"3 4">>(2));
  expect_near([](auto const& x, auto const& y) { return einsum<"i j, j i -> i">(x, y); }, a, b);
  expect_near([](auto const& x, auto const& y) { return einsum<"i j, k l -> l i">(x, y); }, a, b);
  expect_near([](auto const& x, auto const& y) { return matmul(flip<0>(x), flip(y)); }, a, b);
}

TEST_CASE("inline tensors allocate no memory") {
  auto const a = ordinary<Float64<"4 4">>(0), b = ordinary<Float64<"4 4">>(1);
  std::int64_t const before = tenon::memory::bytes_in_use() + tenon::memory::system_allocations();
  Float64<"4 4"> c = matmul(a, transpose(b)) + exp(a) * b;
  c = matmul(c, a) - c;
  CHECK(tenon::memory::bytes_in_use() + tenon::memory::system_allocations() == before);
}

TEST_CASE("first and second gradients through inline tensors are correct") {
  using Matrix = Float64<"3 3">;
  auto const a = ordinary<Matrix>(0.5);
  auto const f = [&](Matrix const& x) {
    Matrix const y = matmul(a, x) + 2.0 * transpose(x);
    return sum(y * y);
  };
  auto const y = eval(matmul(a, a) + 2.0 * transpose(a));
  Matrix const expected = 2.0 * matmul(transpose(a), y) + 4.0 * transpose(y);
  auto const derivative = grad(f)(a);
  CHECK(allclose(derivative, expected));
  auto const second = grad([&](Matrix const& x) { return sum(grad(f)(x) * a); })(a);
  CHECK(allclose(second, derivative));  // f is a quadratic form
}

TEST_CASE("inline tensors are evaluated at compile time") {
  constexpr Float32<"2 2"> a{{1, 2}, {3, 4}};
  constexpr Float32<"2 2"> b = matmul(a, transpose(a)) - 2.0f * a;
  static_assert(b(0, 0) == 3 && b(1, 1) == 17);
  CHECK(is_same_bits(b, eval(matmul(a, transpose(a)) - 2.0f * a)));
}

}  // namespace held_test
