// The code that docs/getting_started.md shows, and what the page says it prints.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <tuple>

#include <tenon/tenon.hpp>

namespace docs_getting_started {
namespace {

#define main first_program
#include "first_program.cpp"
#undef main

struct Line {
  Float32<"feature=2"> weight;
  Float32<""> bias;

  Float32<"sample"> operator()(Float<"sample feature=2"> auto const& x) const {
    return matmul(x, weight) + bias;
  }
};

TEST_CASE("the first program prints what the page shows") {
  std::ostringstream printed;
  auto* const before = std::cout.rdbuf(printed.rdbuf());
  first_program();
  std::cout.rdbuf(before);
  CHECK(printed.str() == R"([ 6. 15.]
[[0.16666667 0.33333334 0.5       ]
 [0.26666668 0.33333334 0.4       ]]
)");
}

TEST_CASE("a size of run time is read off the elements, or given") {
  Float32<"sample feature=2"> const points{{1, 2}, {3, 4}, {5, 6}};
  auto const more = zeros<Float32<"sample feature=2">>(100);
  CHECK(size<"sample">(points) == 3);
  CHECK(size<"sample">(more) == 100);
}

TEST_CASE("the first gradient: of a function, and of a struct") {
  Float64<"n"> const x{1, 2, 3};
  auto const derivative = grad([](auto const& v) { return sum(v * v * v); })(x);
  std::cout << derivative << "\n";  // 3 x^2: [ 3. 12. 27.]
  CHECK(to_string(derivative) == "[ 3. 12. 27.]");

  Line const line{{2, -1}, 3};
  Float32<"sample feature=2"> const points{{1, 2}, {3, 4}, {5, 6}};
  auto const [value, gradient] =
      value_and_grad([&](Line const& l) { return mean(square(l(points))); })(line);
  CHECK(value.item() == doctest::Approx((9 + 25 + 49) / 3.0));
  CHECK(gradient.bias.item() == doctest::Approx(2 * (3 + 5 + 7) / 3.0));
}

TEST_CASE("the first training loop finds the line from which the data were made") {
  Line const truth{{2, -1}, 3};
  auto const x = normal<Float32<"sample feature=2">>(Key{1}, 200);
  auto const y = truth(x);

  Line line;  // zeros
  auto const sgd = SGD{.rate = 0.1};
  auto state = sgd.init(line);
  for (int step = 0; step <= 60; ++step) {
    auto const [loss, gradients] =
        value_and_grad([&](Line const& l) { return mse_loss(l(x), y); })(line);
    std::tie(line, state) = sgd.step(line, gradients, state);
    if (step % 20 == 0) std::printf("step %2d: loss %.6f\n", step, double(loss.item()));
  }
  CHECK(std::abs(line.weight(0) - 2) < 1e-3f);
  CHECK(std::abs(line.weight(1) + 1) < 1e-3f);
  CHECK(std::abs(line.bias.item() - 3) < 1e-3f);
}

}  // namespace
}  // namespace docs_getting_started
