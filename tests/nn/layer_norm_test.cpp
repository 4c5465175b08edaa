#include "checks.hpp"

namespace layer_norm_test {

using namespace tenon;

namespace {

template <class Model, class E>
concept Takes = requires(Model const& layer, E const& x) { layer(x); };

}  // namespace

static_assert(Takes<LayerNorm<"embed=4">, Float32<"batch embed=4">>);
static_assert(Takes<LayerNorm<"embed=4">, Float32<"batch 4">>);
static_assert(!Takes<LayerNorm<"embed=4">, Float32<"batch embed=8">>);
static_assert(!Takes<LayerNorm<"embed=4">, Float32<"embed=4 batch">>);
static_assert(!Takes<LayerNorm<"embed=4">, Float32<"">>);

TEST_CASE("layer norm agrees with loops, in one kernel") {
  auto const layer = checks::random_model<LayerNorm<"embed=21", double>>(1);
  for (int const batch : {0, 1, 5}) {
    auto const x = normal<Float64<"batch embed=21">>(Key(2), batch);
    auto const before = kernels_run;
    auto const y = layer(x);
    CHECK(kernels_run - before == 1);
    checks::near(y, naive::layer_norm(layer, naive::rows(x)).data, 1e-13);
  }
}

TEST_CASE("a new layer norm only normalises") {
  LayerNorm<"embed=4", float> const layer;
  Float32<"embed=4"> const x{1, 2, 3, 4};
  double const deviation = std::sqrt(1.25 + 1e-5);
  checks::near(layer(x), {-1.5 / deviation, -0.5 / deviation, 0.5 / deviation, 1.5 / deviation},
               1e-6);
}

TEST_CASE("rows with a large mean keep their variance") {
  LayerNorm<"embed=4", float> const layer;
  Float32<"embed=4"> const x{10001, 10002, 10003, 10004};
  checks::near(layer(x), {-1.341635, -0.447212, 0.447212, 1.341635}, 1e-5);
}

TEST_CASE("the gradient of layer norm with respect to its parameters and its rows") {
  using Model = std::pair<LayerNorm<"embed=21", double>, Float64<"batch embed=21">>;
  Model const model = checks::random_model<Model>(
      3, {{}, Float64<"batch embed=21">::uninitialised({3, 21, 1, 1, 1, 1, 1, 1})});
  checks::gradient([](auto const& m) { return checks::weighed(m.first(m.second)); }, model);
}

}  // namespace layer_norm_test
