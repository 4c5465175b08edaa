// Initialisation by inputs and outputs: the deviations and bounds of PyTorch's formulas.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/nn.hpp>
#include <tenon/nn/initialisers.hpp>

namespace initialisers_test {

using namespace tenon;

namespace {

struct Model {
  Linear<"in=400", "out=100"> linear;
  Float32<"out=50 in=20 3 3"> kernel;
  Float32<"n=5"> shift;
};

double deviation(auto const& x) {
  return std::sqrt(static_cast<double>(eval(mean(square(x))).item()));
}
double largest(auto const& x) { return static_cast<double>(eval(max(abs(x))).item()); }

}  // namespace

TEST_CASE("Xavier's variance is 2 / (inputs + outputs)") {
  auto const drawn = init::xavier_normal<Model>(Key{1}, 3);
  CHECK(deviation(drawn.linear.weight) == doctest::Approx(3 * std::sqrt(2.0 / 500)).epsilon(0.02));
  CHECK(deviation(drawn.kernel) == doctest::Approx(3 * std::sqrt(2.0 / 630)).epsilon(0.03));
  CHECK(largest(drawn.linear.bias) == 0);
  CHECK(largest(drawn.shift) == 0);
  auto const uniform = init::xavier_uniform<Model>(Key{1});
  double const bound = std::sqrt(6.0 / 500);
  CHECK(largest(uniform.linear.weight) <= bound);
  CHECK(largest(uniform.linear.weight) > 0.99 * bound);
}

TEST_CASE("Kaiming's variance is gain squared / inputs, or / outputs") {
  auto const drawn = init::kaiming_normal<Model>(Key{1});
  CHECK(deviation(drawn.linear.weight) == doctest::Approx(std::sqrt(2.0 / 400)).epsilon(0.02));
  CHECK(deviation(drawn.kernel) == doctest::Approx(std::sqrt(2.0 / 180)).epsilon(0.03));
  using Matrix = Float64<"in=400 out=100">;
  double const gain = init::gain(init::Nonlinearity::tanh);
  auto const matrix = init::kaiming_uniform<Matrix>(Key{2}, gain, init::Fan::out);
  CHECK(largest(matrix) <= gain * std::sqrt(3.0 / 100));
  CHECK(deviation(matrix) == doctest::Approx(gain / std::sqrt(100)).epsilon(0.02));
  CHECK(init::gain(init::Nonlinearity::leaky_relu, 1) == doctest::Approx(1));
}

TEST_CASE("layers begin with PyTorch's values: uniform between ±1 / sqrt(inputs), biases too") {
  struct Layers {
    Linear<"in=400", "out=100"> linear;
    Conv2d<"channel=8", "feature=400", 3> conv;
    ConvTranspose1d<"channel=8", "feature=400", 2, ConvTransposeOptions{.groups = 4}> transposed;
    Embedding<"word=100", "embed=40"> words;
    LayerNorm<"embed=40"> norm;
    MultiheadAttention<"embed=100", 4> attention;
  };
  auto const drawn = init::reset_parameters<Layers>(Key{1});
  auto const is_uniform = [](auto const& x, double bound) {
    CHECK(largest(x) <= bound);
    CHECK(deviation(x) == doctest::Approx(bound / std::sqrt(3.0)).epsilon(0.1));
  };
  is_uniform(drawn.linear.weight, 1.0 / 20), is_uniform(drawn.linear.bias, 1.0 / 20);
  is_uniform(drawn.conv.weight, 1 / std::sqrt(72)), is_uniform(drawn.conv.bias, 1 / std::sqrt(72));
  is_uniform(drawn.transposed.weight, 1 / std::sqrt(200));
  is_uniform(drawn.transposed.bias, 1 / std::sqrt(200));
  is_uniform(drawn.attention.query.weight, std::sqrt(6.0 / 400));
  CHECK(deviation(drawn.words.weight) == doctest::Approx(1).epsilon(0.05));
  CHECK(all(drawn.norm.weight == 1).item());
  CHECK(largest(init::normal<Layers>(Key{1}, 0.5).conv.bias) == 0);
}

TEST_CASE("a truncated normal distribution is the normal one between its bounds") {
  auto const drawn = init::truncated_normal<Float32<"n=20000">>(Key{3}, 0.5, -1, 2);
  CHECK(eval(min(drawn)).item() >= -0.5f);
  CHECK(eval(max(drawn)).item() <= 1.0f);
  CHECK(eval(mean(drawn)).item() == doctest::Approx(0.5 * 0.22967).epsilon(0.03));
  CHECK(internal::init::normal_quantile(0.975) ==
        doctest::Approx(1.959963984540054).epsilon(1e-14));
  CHECK(internal::init::normal_quantile(1e-300) == doctest::Approx(-37.0471).epsilon(1e-5));
}

TEST_CASE("an orthogonal matrix has orthonormal columns or rows, whichever are fewer") {
  auto const tall = init::orthogonal<Float64<"in=30 out=10">>(Key{4}, 2);
  CHECK(allclose(einsum<"n i, n j -> i j">(tall, tall), 4 * eye<Float64<"10 10">>()));
  auto const wide = init::orthogonal<Float64<"out=4 in=2 3 3">>(Key{4});
  CHECK(allclose(einsum<"i n k l, j n k l -> i j">(wide, wide), eye<Float64<"4 4">>()));
}

}  // namespace initialisers_test
