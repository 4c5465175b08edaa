#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "bfloat_numbers.hpp"

namespace bfloat_product_test {

using namespace tenon;

namespace {

template <Spec S>
Tensor<bfloat16, S> tensor(int from, auto... sizes) {
  auto x = zeros<Tensor<bfloat16, S>>(sizes...);
  auto const numbers = spread(x.size(), from);
  std::copy(numbers.begin(), numbers.end(), x.mutable_data());
  return x;
}

/// The matmul of a backend in floats, compared with loops in double.
void check_product(std::int64_t m, std::int64_t n, std::int64_t k) {
  auto const a = tensor<"m k">(1, m, k);
  auto const b = tensor<"k n">(2, k, n);
  auto const c = eval(to<float>(matmul(a, b)));
  CHECK(is_product(m, n, k, {a.data(), k, 1}, {b.data(), n, 1}, c.data(), 0));
  auto const across = tensor<"n k">(2, n, k);
  auto const d = eval(to<float>(matmul(a, transpose(across))));
  CHECK(is_product(m, n, k, {a.data(), k, 1}, {across.data(), 1, k}, d.data(), 0));
  auto const down = tensor<"k m">(3, k, m);
  auto const e = eval(to<float>(matmul(transpose(down), b)));
  CHECK(is_product(m, n, k, {down.data(), 1, m}, {b.data(), n, 1}, e.data(), 0));
}

template <TensorType E>
bool same_bits(E const& a, E const& b) {
  return a.sizes() == b.sizes() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) ==
             0;
}

/// The weighted sum of the elements of a matmul: the weights are its adjoint.
auto weighted(auto const& a, auto const& b, auto const& weights) {
  return sum(to<float>(matmul(a, b)) * weights);
}

}  // namespace

TEST_CASE("matmuls of bfloat16 tensors of any size are within the error bound of float sums") {
  check_product(1, 1, 1);
  check_product(1, 40, 300);
  check_product(40, 1, 300);
  check_product(33, 65, 97);
  check_product(64, 64, 64);
  check_product(130, 300, 530);
}

TEST_CASE("contractions of bfloat16 over several axes equal sums of products of elements") {
  auto const a = tensor<"b h q d">(1, 2, 3, 40, 33);
  auto const b = tensor<"b h k d">(2, 2, 3, 50, 33);
  auto const c = eval(to<float>(einsum<"b h q d, b h k d -> b h q k">(a, b)));
  for (std::int64_t i = 0; i < 6; ++i)
    CHECK(is_product(40, 50, 33, {a.data() + i * 40 * 33, 33, 1}, {b.data() + i * 50 * 33, 1, 33},
                     c.data() + i * 2000, 0));
  auto const joined = eval(to<float>(einsum<"b h q d, b h k d -> q k">(a, b)));
  double sum = 0;
  for (std::int64_t i = 0; i < 6; ++i)
    for (int p = 0; p < 33; ++p)
      sum += number(a.data()[(i * 40 + 39) * 33 + p]) * number(b.data()[(i * 50 + 49) * 33 + p]);
  CHECK(static_cast<double>(joined(39, 49)) == doctest::Approx(sum).epsilon(1e-5));
}

TEST_CASE("a matmul of bfloat16 has the same bits for any number of threads") {
  int const before = threads();
  auto const a = tensor<"m k">(1, 150, 1050);  // five chunks of rows
  auto const b = tensor<"k n">(2, 1050, 1100);
  auto const bias = tensor<"n">(3, 1100);
  auto const f = [&] { return eval(relu(matmul(a, b) + bias)); };
  set_threads(1);
  auto const alone = f();
  for (int count : {2, 3, 5}) {
    set_threads(count);
    CHECK(same_bits(alone, f()));
  }
  set_threads(before);
  double sum = number(bias(1099));
  for (int p = 0; p < 1050; ++p) sum += number(a(149, p)) * number(b(p, 1099));
  CHECK(number(alone(149, 1099)) == doctest::Approx(std::max(sum, 0.0)).epsilon(0.01));
}

TEST_CASE("infinities, NaN and the sign of zero in matmuls of bfloat16") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto a = tensor<"m k">(1, 64, 64);
  a(3, 5) = bfloat16(infinity);
  a(4, 6) = bfloat16(std::nanf(""));
  auto const ones_there = eval(to<bfloat16>(ones<Float32<"k n">>(64, 64)));
  auto const left_ones = ones<Float32<"m k">>(64, 64);
  auto const c = eval(matmul(a, ones_there));
  CHECK(number(c(3, 63)) == infinity);
  CHECK(std::isnan(number(c(4, 0))));
  CHECK(std::isfinite(number(c(5, 63))));
  auto const zero = eval(matmul(a, eval(to<bfloat16>(ones_there * 0.0f))));
  CHECK(std::isnan(number(zero(3, 0))));
  CHECK(zero(5, 7).bits == 0);
  auto const negative = eval(matmul(eval(to<bfloat16>(left_ones * -0.0f)), ones_there));
  CHECK(negative(5, 7).bits == 0);  // sums start with zero
  auto const most = eval(to<bfloat16>(left_ones * 3e38f));
  CHECK(number(eval(matmul(most, ones_there))(0, 0)) == infinity);
}

TEST_CASE("empty matmuls of bfloat16 are zeros or empty") {
  auto const none = eval(matmul(tensor<"m k">(1, 70, 0), tensor<"k n">(1, 0, 80)));
  CHECK(none.size() == 5600);
  CHECK(none(69, 79).bits == 0);
  CHECK(eval(matmul(tensor<"m k">(1, 0, 70), tensor<"k n">(1, 70, 80))).size() == 0);
  CHECK(eval(matmul(tensor<"m k">(1, 80, 70), tensor<"k n">(1, 70, 0))).size() == 0);
}

TEST_CASE("gradients of matmuls of bfloat16 are matmuls with the adjoint") {
  auto const a = tensor<"m k">(1, 70, 90);
  auto const b = tensor<"k n">(2, 90, 80);
  auto weights = zeros<Float32<"m n">>(70, 80);
  for (std::int64_t i = 0; i < weights.size(); ++i)
    weights.mutable_data()[i] = 1.0f + static_cast<float>(i % 97) * 1e-3f;
  auto const of_a = value_and_grad([&](auto const& x) { return weighted(x, b, weights); })(a);
  auto const of_b = value_and_grad([&](auto const& x) { return weighted(a, x, weights); })(b);
  auto const derivative_a = std::get<1>(of_a);
  auto const derivative_b = std::get<1>(of_b);
  bool right = true;
  for (int p = 0; p < 90; ++p) {
    double from_b = 0, from_a = 0;
    for (int j = 0; j < 80; ++j) from_b += static_cast<double>(weights(69, j)) * number(b(p, j));
    for (int i = 0; i < 70; ++i) from_a += static_cast<double>(weights(i, 79)) * number(a(i, p));
    right =
        right && std::abs(number(derivative_a(69, p)) - from_b) <= std::abs(from_b) / 256 + 1e-4;
    right =
        right && std::abs(number(derivative_b(p, 79)) - from_a) <= std::abs(from_a) / 256 + 1e-4;
  }
  CHECK(right);
}

TEST_CASE("the adjoint of a matmul is not rounded to bfloat16, and infinity does not become NaN") {
  auto const a = tensor<"m k">(1, 64, 96);
  auto b = eval(to<bfloat16>(ones<Float32<"k n">>(96, 80)));
  auto weights = zeros<Float32<"m n">>(64, 80);
  for (std::int64_t i = 0; i < weights.size(); ++i)
    weights.mutable_data()[i] = i % 2 == 0 ? 1.0f + 0x1p-10f : -1.0f;
  auto const derivative = [&] {
    return grad([&](auto const& x) { return weighted(x, b, weights); })(a);
  };
  CHECK(number(derivative()(63, 95)) == 40 * 0x1p-10);
  b(95, 0) = bfloat16(std::numeric_limits<float>::infinity());
  CHECK(number(derivative()(63, 95)) == std::numeric_limits<double>::infinity());
  CHECK(number(derivative()(63, 94)) == 40 * 0x1p-10);
}

}  // namespace bfloat_product_test
