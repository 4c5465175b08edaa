#include "checks.hpp"

namespace linear_test {

using namespace tenon;

namespace {

template <class T, class D>
using Layer = Linear<"in=5", "out=3", T, D>;

template <class T, class D, Spec S>
using X = Of<T, S, D>;

template <class Model, class E>
concept Takes = requires(Model const& layer, E const& x) { layer(x); };

}  // namespace

static_assert(shape_of<decltype(Layer<float, Cpu>()(X<float, Cpu, "batch t in=5">()))> ==
              "batch t out=3");
static_assert(shape_of<decltype(Layer<float, Cpu>()(X<float, Cpu, "in=5">()))> == "out=3");
static_assert(shape_of<decltype(Linear<"same=4", "same=4">()(Float32<"batch same=4">()))> ==
              "batch same=4");
static_assert(Takes<Layer<float, Cpu>, Float32<"batch 5">>);
static_assert(!Takes<Layer<float, Cpu>, Float32<"batch in=4">>);
static_assert(!Takes<Layer<float, Cpu>, Float32<"batch out=5">>);
static_assert(!Takes<Layer<float, Cpu>, Float64<"batch in=5">>);
static_assert(!Takes<Layer<float, Cpu>, Float32<"batch in=5", Reference>>);

TEST_CASE_TEMPLATE("a linear layer is x w + b", D, Cpu, Reference) {
  auto const layer = checks::random_model<Layer<double, D>>(1);
  for (int const batch : {0, 1, 3}) {
    auto const x = normal<X<double, D, "batch in=5">>(Key(2), batch);
    checks::near(eval(layer(x)), naive::linear(layer, naive::rows(x)).data, 1e-14);
  }
}

TEST_CASE_TEMPLATE("elementwise maps are fused into a linear layer", D, Cpu, Reference) {
  auto const layer = checks::random_model<Layer<double, D>>(1);
  auto const x = normal<X<double, D, "batch in=5">>(Key(2), 4);
  naive::Rows expected = naive::linear(layer, naive::rows(x));
  for (double& y : expected.data) y = std::max(y, 0.0);
  auto const before = kernels_run;
  auto const y = eval(relu(layer(x)));
  if (std::same_as<D, Cpu>) CHECK(kernels_run - before == 1);
  checks::near(y, expected.data, 1e-14);
}

TEST_CASE_TEMPLATE("the gradient of a linear layer", D, Cpu, Reference) {
  auto const x = normal<X<double, D, "batch in=5">>(Key(3), 4);
  checks::gradient([&](auto const& layer) { return checks::weighed(layer(x)); },
                   checks::random_model<Layer<double, D>>(4));
}

}  // namespace linear_test
