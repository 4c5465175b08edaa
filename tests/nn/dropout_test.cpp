#include "checks.hpp"

namespace dropout_test {

using namespace tenon;

static_assert(std::same_as<decltype(Dropout()(Float32<"batch n=4">())), Float32<"batch n=4">>);

TEST_CASE_TEMPLATE("dropout zeroes elements at its rate and scales the others", D, Cpu, Reference) {
  auto const x = full<Float32<"batch n=100", D>>(3.0f, 100);
  Dropout const dropout{.rate = 0.25f};
  auto const y = eval(dropout(x, Key(1)));
  static_assert(shape_of<decltype(y)> == "batch n=100");
  int zero = 0;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    zero += y.data()[i] == 0.0f ? 1 : 0;
    CHECK((y.data()[i] == 0.0f || y.data()[i] == doctest::Approx(4.0f)));
  }
  CHECK(zero > 2300);
  CHECK(zero < 2700);  // 2500, standard deviation 43
}

TEST_CASE_TEMPLATE("without a key dropout is the identity", D, Cpu, Reference) {
  auto const x = iota<Float32<"n=9", D>>();
  checks::near(Dropout{.rate = 0.5f}(x), naive::numbers(x), 0);
}

TEST_CASE_TEMPLATE("the key determines which elements are dropped", D, Cpu, Reference) {
  auto const x = ones<Float32<"n", D>>(64);
  Dropout const dropout{.rate = 0.5f};
  auto const once = naive::numbers(eval(dropout(x, Key(1))));
  CHECK(once == naive::numbers(eval(dropout(x, Key(1)))));
  CHECK(once != naive::numbers(eval(dropout(x, Key(2)))));
}

TEST_CASE_TEMPLATE("rates from 0 to 1", D, Cpu, Reference) {
  auto const x = ones<Float32<"n=5", D>>();
  checks::near(eval(Dropout{.rate = 0}(x, Key(1))), {1, 1, 1, 1, 1}, 0);
  checks::near(eval(Dropout{.rate = 1}(x, Key(1))), {0, 0, 0, 0, 0}, 0);
  CHECK_THROWS_WITH_AS(eval(Dropout{.rate = 1.5f}(x, Key(1))),
                       "tenon::Dropout: 'rate': expected a number from 0 to 1, got 1.500000",
                       ValueError);
  CHECK_THROWS_AS(eval(Dropout{.rate = -0.1f}(x, Key(1))), ValueError);
}

TEST_CASE_TEMPLATE("the gradient passes through elements that are not dropped", D, Cpu, Reference) {
  auto const x = normal<Float64<"n=20", D>>(Key(1));
  checks::gradient(
      [](auto const& at) { return checks::weighed(Dropout{.rate = 0.5f}(at, Key(3))); }, x);
  auto const none = grad([](auto const& at) { return sum(Dropout{.rate = 1}(at, Key(3))); })(x);
  CHECK(sum(abs(none)).item() == 0.0);
}

}  // namespace dropout_test
