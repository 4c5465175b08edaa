#include <optional>

#include <tenon/autodiff/grad.hpp>
#include <tenon/expr/map/numbers.hpp>
#include <tenon/expr/reduction/mean.hpp>
#include <tenon/tensor/print.hpp>

#include "counting.hpp"

namespace numbers_test {

namespace {

using namespace counting;

TEST_CASE_TEMPLATE("a scalar converts to its number", D, Cpu, Reference) {
  Float32<"n", D> const x{1, 2, 6};
  float const l = mean(x);
  CHECK(l == 3);
  Float32<"", D> const loss = mean(x);
  float const same = loss;
  CHECK(same == 3);
  float const entry = x[1], product = dot(x, x);
  CHECK(entry == 2);
  CHECK(product == 41);
  std::int32_t const place = argmax<0>(x);
  CHECK(place == 2);
}

TEST_CASE("a comparison of scalars is a condition") {
  Float32<"n"> const x{1, 2, 6};
  Float32<""> const loss = mean(x);
  float best = 10;
  if (loss < best) best = loss;
  CHECK(best == 3);
  if (mean(x) < best) best = 0;
  CHECK(best == 3);
  CHECK(loss == 3.0f);
  CHECK(mean(x) == best);
  CHECK(!(loss > best));
  CHECK(loss * 2 == 6.0f);
  CHECK(to_string(loss * 2) == "6.0");
}

TEST_CASE("a number is changed by a scalar") {
  Float32<"n"> const x{1, 2, 6};
  double total = 1;
  total += mean(x);
  total -= x[0];
  total *= Float32<"">(4);
  total /= x[1];
  CHECK(total == 6);
}

TEST_CASE("a recorded scalar is no number") {
  auto const message =
      "tenon::Tensor: a recorded value is read as a number, which has no gradient: x[i] is a "
      "tensor and has one; stop_gradient(x)(i), stop_gradient(x).item() are numbers";
  auto const read = [](auto const& f) { (void)grad(f)(Float64<"n">{1, 2, 6}); };
  CHECK_THROWS_WITH_AS(read([](Float64<"n"> const& x) {
                         double const l = mean(x);
                         return sum(x) * l;
                       }),
                       message, Error);
  CHECK_THROWS_WITH_AS(read([](Float64<"n"> const& x) {
                         Float64<""> const loss = sum(x);
                         double const l = loss;
                         return sum(x) * l;
                       }),
                       message, Error);
  CHECK_THROWS_WITH_AS(read([](Float64<"n"> const& x) {
                         double total = 0;
                         for (auto const& value : x) total += value;
                         return sum(x) * total;
                       }),
                       message, Error);
  CHECK_NOTHROW(read([](Float64<"n"> const& x) {
    double const l = stop_gradient(mean(x));
    return sum(x) * l;
  }));
}

}  // namespace

}  // namespace numbers_test
