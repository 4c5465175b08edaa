#include "checks.hpp"

namespace losses_test {

using namespace tenon;

namespace {

using Logits = Float64<"batch t digit=5">;

template <class X, class L>
concept HasCrossEntropy =
    requires(X const& x, L const& labels) { cross_entropy<"digit">(x, labels); };
template <class A, class B>
concept HasSquaredError = requires(A const& a, B const& b) { mse_loss(a, b); };

/// -log softmax at the label, for each position.
template <class X, class L>
naive::Numbers losses(X const& logits, L const& labels) {
  naive::Rows const rows = naive::rows(logits);
  naive::Numbers result;
  for (std::size_t r = 0; r < rows.count(); ++r) {
    naive::Numbers row(rows.width);
    for (std::size_t i = 0; i < rows.width; ++i) row[i] = rows.at(r, i);
    auto const label = static_cast<std::size_t>(labels.data()[r]);
    result.push_back(-std::log(naive::softmax(row)[label]));
  }
  return result;
}

double total(naive::Numbers const& all) {
  double sum = 0;
  for (double const number : all) sum += number;
  return sum;
}

}  // namespace

static_assert(HasCrossEntropy<Logits, Int32<"batch t">>);
static_assert(HasCrossEntropy<Float32<"digit=5 batch">, UInt8<"batch">>);
static_assert(HasCrossEntropy<Float32<"batch digit=5">, Int64<"_">>);
static_assert(!HasCrossEntropy<Logits, Int32<"batch">>);
static_assert(!HasCrossEntropy<Logits, Int32<"batch time">>);
static_assert(!HasCrossEntropy<Logits, Int32<"batch t digit=5">>);
static_assert(!HasCrossEntropy<Logits, Float32<"batch t">>);
static_assert(!HasCrossEntropy<Logits, Int32<"batch t", Reference>>);
static_assert(!HasCrossEntropy<Float32<"batch class=5">, Int32<"batch">>);
static_assert(!HasCrossEntropy<Int32<"batch digit=5">, Int32<"batch">>);
static_assert(HasSquaredError<Float32<"batch n=3">, Float32<"batch 3">>);
static_assert(!HasSquaredError<Float32<"batch n=3">, Float32<"n=3">>);
static_assert(!HasSquaredError<Float32<"4 n=3">, Float32<"1 n=3">>);
static_assert(!HasSquaredError<Float32<"n=3">, Float64<"n=3">>);
static_assert(!HasSquaredError<Int32<"n=3">, Int32<"n=3">>);
static_assert(!HasSquaredError<Float32<"n=3">, Float32<"n=3", Reference>>);

TEST_CASE("cross-entropy is the mean of -log softmax at the labels") {
  auto const x = normal<Logits>(Key(1), 3, 4);
  auto const labels = uniform<Int32<"batch t">>(Key(2), 0, 5, 3, 4);
  auto const expected = losses(x, labels);
  checks::near(cross_entropy<"digit", op::none>(x, labels), expected, 1e-14);
  CHECK(cross_entropy<"digit", op::sum>(x, labels).item() == doctest::Approx(total(expected)));
  CHECK(cross_entropy<"digit">(x, labels).item() == doctest::Approx(total(expected) / 12));
  CHECK(cross_entropy<"digit">(x, eval(to<std::uint8_t>(labels))).item() ==
        doctest::Approx(total(expected) / 12));
}

TEST_CASE("cross-entropy is one kernel, its mean another") {
  auto const x = normal<Logits>(Key(1), 3, 4);
  auto const labels = zeros<Int32<"batch t">>(3, 4);
  auto const before = kernels_run;
  cross_entropy<"digit", op::none>(x, labels);
  CHECK(kernels_run - before == 1);
  cross_entropy<"digit">(x, labels);
  CHECK(kernels_run - before == 3);
}

TEST_CASE("the axis of classes may precede the batch") {
  auto const x = normal<Float64<"batch digit=5">>(Key(1), 3);
  auto const labels = uniform<Int64<"batch">>(Key(2), 0, 5, 3);
  auto const turned = eval(transpose(x));
  checks::near(cross_entropy<"digit", op::none>(turned, labels), losses(x, labels), 1e-14);
}

TEST_CASE("cross-entropy of large logits does not overflow") {
  Float32<"batch digit=3"> const x{{1e30f, 0, -1e30f}, {88, 89, 90}, {-1000, -1000, -1000}};
  Int32<"batch"> const labels{0, 2, 1};
  double const third = std::log(1 + std::exp(-1.0) + std::exp(-2.0));
  checks::near(cross_entropy<"digit", op::none>(x, labels), {0, third, std::log(3.0)}, 1e-6);
  CHECK(cross_entropy<"digit", op::none>(x, Int32<"batch">{1, 0, 0})(0) == 1e30f);
}

TEST_CASE("the gradient of cross-entropy is softmax minus one at the label") {
  auto const x = normal<Logits>(Key(1), 2, 3);
  auto const labels = uniform<Int32<"batch t">>(Key(2), 0, 5, 2, 3);
  auto const loss = [&](auto const& at) { return cross_entropy<"digit">(at, labels); };
  checks::gradient(loss, x);
  auto expected = naive::numbers(eval(softmax<"digit">(x)));
  for (std::size_t i = 0; i < 6; ++i)
    expected[i * 5 + static_cast<std::size_t>(labels.data()[i])] -= 1;
  for (double& derivative : expected) derivative /= 6;
  checks::near(grad(loss)(x), expected, 1e-14);
  checks::gradient([&](auto const& at) { return cross_entropy<"digit", op::sum>(at, labels); }, x);
  checks::gradient(
      [&](auto const& at) { return checks::weighed(cross_entropy<"digit", op::none>(at, labels)); },
      x);
}

TEST_CASE("labels of another size or out of range throw") {
  auto const x = zeros<Logits>(2, 3);
  CHECK_THROWS_WITH_AS(
      cross_entropy<"digit">(x, zeros<Int32<"batch t">>(2, 1)),
      "tenon::cross_entropy: 't': expected 3, got 1 (run-time sizes of \"batch t\")", ShapeError);
  CHECK_THROWS_WITH_AS(cross_entropy<"digit">(x, full<Int32<"batch t">>(5, 2, 3)),
                       "tenon::cross_entropy: expected labels from 0 to 4, got 5 (label 0)",
                       IndexError);
}

TEST_CASE("mse is the mean of squared differences") {
  Float32<"batch n=2"> const a{{1, 2}, {3, 4}}, b{{1, 0}, {0, 8}};
  CHECK(mse_loss(a, b).item() == doctest::Approx(29.0 / 4));
  CHECK(mse_loss<op::sum>(a, b).item() == doctest::Approx(29.0));
  checks::near(mse_loss<op::none>(a, b), {0, 4, 9, 16}, 1e-7);
  CHECK(mse_loss<op::sum>(a * 2.0f, b + 1.0f).item() == doctest::Approx(0 + 9 + 25 + 1));
}

TEST_CASE("mse does not broadcast run-time sizes") {
  CHECK_THROWS_AS(mse_loss(ones<Float32<"n">>(3), ones<Float32<"n">>(1)), ShapeError);
  CHECK_THROWS_AS(mse_loss(ones<Float32<"n">>(3), ones<Float32<"1">>()), ShapeError);
}

TEST_CASE("the gradient of mse with respect to both arguments") {
  auto const a = normal<Float64<"batch n=2">>(Key(1), 3);
  auto const b = normal<Float64<"batch n=2">>(Key(2), 3);
  checks::gradient([](auto const& pair) { return mse_loss(pair.first, pair.second); },
                   std::pair(a, b));
}

}  // namespace losses_test
