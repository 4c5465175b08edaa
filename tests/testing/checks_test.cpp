// Every check, passed and failed, with the exact text.

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>
#include <tenon/testing.hpp>

namespace checks_test {

using namespace tenon;
using tenon::testing::check_close;
using tenon::testing::check_finite;
using tenon::testing::check_gradient;
using tenon::testing::check_shape;

using Scores = Float32<"batch digit=3">;

struct Layer {
  Float64<"in=2 out=2"> weight;
  Float64<"out=2"> bias;
};

struct Model {
  std::vector<Layer> layers;
  Int32<"n"> counts;
  double scale = 1;
  Frozen<Float64<"2">> fixed{};
};

Model model() {
  Layer const layer{{{1, 2}, {3, 4}}, {5, 6}};
  return {{layer, layer}, {1, 2, 3}, 0.5, {}};
}

Scores scores() { return Scores{{1, 2, 3}, {4, 5, 6}}; }

TEST_CASE("shapes match: names, order, sizes") {
  auto const x = scores();
  CHECK_SHAPE(x, "batch digit=3");
  CHECK_SHAPE(x, "batch=2 digit=3");
  CHECK_SHAPE(x, "batch=1..2 digit");
  CHECK_SHAPE(x, "_ _");
  CHECK_SHAPE(x + 1, "batch digit=3");
  CHECK_SHAPE(sum(x), "");
  CHECK_SHAPE((zeros<Float32<"n n+1">>(3, 4)), "n n+1");
}

TEST_CASE("shapes that differ: both, and the axis") {
  auto const x = scores();
  CHECK(check_shape<"batch digit=4">(x).text ==
        "expected \"batch digit=4\", got \"batch=2 digit=3\" (axis 1: expected digit=4, got "
        "digit=3)");
  CHECK(check_shape<"batch=5 digit=3">(x + 1).text ==
        "expected \"batch=5 digit=3\", got \"batch=2 digit=3\" (axis 0: expected batch=5, got "
        "batch=2)");
  CHECK(check_shape<"digit=3 batch">(x).text ==
        "expected \"digit=3 batch\", got \"batch=2 digit=3\" (axis 0: expected digit=3, got "
        "batch=2)");
  CHECK(check_shape<"2 digit=3">(x).text ==
        "expected \"2 digit=3\", got \"batch=2 digit=3\" (axis 0: expected 2, got batch=2)");
  CHECK(check_shape<"batch=3.. digit=3">(x).text ==
        "expected \"batch=3.. digit=3\", got \"batch=2 digit=3\" (axis 0: expected batch=3.., got "
        "batch=2)");
  CHECK(check_shape<"batch batch+2">(zeros<Float32<"batch _">>(2, 3)).text ==
        "expected \"batch batch+2\", got \"batch=2 3\" (axis 1: expected batch+2, got 3)");
  CHECK(check_shape<"batch">(x).text ==
        "expected \"batch\", got \"batch=2 digit=3\" (expected 1 axis, got 2)");
}

TEST_CASE("close: tensors, expressions, numbers, other dtypes") {
  auto const x = scores();
  CHECK_CLOSE(x, x);
  CHECK_CLOSE(x * 2, x + x);
  CHECK_CLOSE(x, to<double>(x) + 1e-6);
  CHECK_CLOSE(sum(x), 21);
  CHECK_CLOSE(x - x, 0);
  CHECK_CLOSE(x, x + 0.01f, 0.01);
  CHECK_CLOSE(x, x + 0.01f, {.absolute = 0.02});
  CHECK_CLOSE(0.1, 0.1 + 1e-9);
  CHECK_CLOSE((Int32<"2">{1, 2}), (Int64<"2">{1, 2}));
  CHECK_CLOSE((Float32<"0">{}), (Float32<"0">{}));
}

TEST_CASE("not close: the largest difference, and where") {
  auto y = scores();
  y(1, 0) = 4.25f;
  y(1, 2) = 6.125f;
  CHECK(check_close(y, scores()).text ==
        "batch=1 digit=0: expected 4, got 4.25 (difference 0.25, relative 0.0625; allowed 1e-05 + "
        "1.3e-06 |expected|; 2 of 6 elements differ)");
  CHECK(check_close(y, scores(), {.relative = 0.03}).text ==
        "batch=1 digit=0: expected 4, got 4.25 (difference 0.25, relative 0.0625; allowed 0 + 0.03 "
        "|expected|; 1 of 6 elements differ)");
  CHECK(check_close(1.5, 0).text ==
        "expected 0, got 1.5 (difference 1.5; allowed 1e-07 + 1e-07 |expected|)");
  CHECK(check_close(Int32<"3">{1, 2, 3}, Int32<"3">{1, 2, 5}).text ==
        "axis 0=2: expected 5, got 3 (difference 2, relative 0.4; allowed 0 + 0 |expected|; 1 of 3 "
        "elements differ)");
  CHECK(check_close(std::int64_t{9007199254740993}, std::int64_t{9007199254740992}).text ==
        "expected 9007199254740992, got 9007199254740993 (difference 1, relative 1.11e-16; allowed "
        "0 + 0 |expected|)");
  CHECK(check_close(Mask<"2">{true, false}, Mask<"2">{true, true}).text ==
        "axis 0=1: expected true, got false (difference 1, relative 1; allowed 0 + 0 |expected|; 1 "
        "of 2 elements differ)");
  CHECK(check_close(std::complex<float>(1, 2), std::complex<float>(1, -2)).text ==
        "expected 1-2i, got 1+2i (difference 4, relative 1.79; allowed 1e-05 + 1.3e-06 "
        "|expected|)");
}

TEST_CASE("NaN is close to nothing, unless equal_nan; infinities to themselves") {
  float const nan = NAN, infinity = INFINITY;
  Float32<"n"> const x{nan, infinity, -infinity}, finite{1, 1, 1};
  CHECK_CLOSE(x, x, {.equal_nan = true});
  CHECK(check_close(x, x).text ==
        "n=0: expected nan, got nan (not close; allowed 1e-05 + 1.3e-06 |expected|; 1 of 3 "
        "elements differ)");
  CHECK(check_close(finite, x, {.relative = 1, .equal_nan = true}).text ==
        "n=0: expected nan, got 1 (not close; allowed 0 + 1 |expected|; 3 of 3 elements differ)");
}

TEST_CASE("an infinite tolerance allows numbers only") {
  CHECK(check_close(1.0, 2.0, INFINITY));
  CHECK(!check_close(double(NAN), 1.0, INFINITY));
  CHECK(!check_close(1.0, double(INFINITY), INFINITY));
}

TEST_CASE("vectors of different sizes are a failure") {
  std::vector<Float32<"2">> const one(1), two(2);
  CHECK(check_close(one, two).text == "tenon::tree: expected 2 elements, got 1");
}

TEST_CASE("close: run-time sizes that differ are a failure") {
  CHECK(check_close(scores(), zeros<Scores>(3)).text ==
        "expected \"batch=3 digit=3\", got \"batch=2 digit=3\" (axis 0: expected batch=3, got "
        "batch=2)");
}

TEST_CASE("close: trees, with the path of each leaf that differs") {
  CHECK_CLOSE(model(), model());
  auto other = model();
  other.layers[1].weight(0, 1) = 2.5;
  other.counts(2) = 4;
  other.scale = 1;
  other.fixed.value(1) = 1;
  CHECK(
      check_close(other, model()).text ==
      "'layers.1.weight', in=0 out=1: expected 2, got 2.5 (difference 0.5, relative 0.25; allowed "
      "1e-07 + 1e-07 |expected|; 1 of 4 elements differ)\n"
      "'counts', n=2: expected 3, got 4 (difference 1, relative 0.333; allowed 0 + 0 |expected|; "
      "1 of 3 elements differ)\n"
      "'scale': expected 0.5, got 1 (difference 0.5, relative 1; allowed 1e-07 + 1e-07 "
      "|expected|)\n"
      "'fixed', axis 0=1: expected 0, got 1 (difference 1; allowed 1e-07 + 1e-07 |expected|; 1 "
      "of 2 elements differ)");
  other.layers.pop_back();
  CHECK(check_close(other, model()).text.starts_with("tenon::tree: 'layers': expected"));
}

TEST_CASE("finite: the first NaN or infinity") {
  CHECK_FINITE(model());
  CHECK_FINITE(scores() * 2);
  CHECK_FINITE(1.5);
  CHECK(check_finite(log(scores() - 2)).text ==
        "batch=0 digit=0: expected a finite number, got nan (2 of 6 elements are not finite)");
  auto broken = model();
  broken.layers[0].bias(1) = -INFINITY;
  broken.scale = NAN;
  CHECK(check_finite(broken).text ==
        "'layers.0.bias', out=1: expected a finite number, got -inf (1 of 2 elements are not "
        "finite)\n'scale': expected a finite number, got nan");
}

TEST_CASE("gradients: tensors and trees") {
  auto const loss = [](Model const& m) {
    auto total = eval(sum(square(m.layers[0].bias)));
    for (Layer const& layer : m.layers) total = eval(total + sum(tanh(layer.weight)) * 0.5);
    return total;
  };
  CHECK_GRADIENT(loss, model());
  CHECK_GRADIENT([](auto const& x) { return sum(exp(x)); }, (Float64<"n">{1, 2, 3}));
  CHECK_GRADIENT([](auto const& x) { return sum(exp(x)); }, (Float64<"n">{1, 2, 3} * 2), 1e-5);
}

TEST_CASE("gradients that are wrong: leaf, position, expected, got") {
  auto const wrong_square = custom_vjp(
      [](Float64<"out=2"> const& x) { return x * x; },
      [](auto const& dy, auto const&, auto const& x) { return dy * where(x > 5.5, x, 2 * x); });
  auto const loss = [&](Model const& m) { return sum(wrong_square(m.layers[1].bias)); };
  CHECK(check_gradient(loss, model()).text ==
        "'layers.1.bias', out=1: expected 12, got 6 (difference 6, relative 0.5; allowed 1e-06 + "
        "1e-06 |expected|; 1 of 2 elements differ)");
  CHECK_GRADIENT(loss, model(), 0.6);
}

}  // namespace checks_test
