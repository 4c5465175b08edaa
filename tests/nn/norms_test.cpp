#include <doctest/doctest.h>

#include <tenon/nn.hpp>

#include "cases.hpp"
#include "checks.hpp"

namespace norms_test {

using namespace tenon;

namespace {

using Image = Float64<"batch channel=4 height width">;
using Row = Float64<"channel=4">;
using Norm = BatchNorm<"channel=4", double>;
using Groups = GroupNorm<"channel=4", 2, "", double>;

Norm trained(cases::Case const& c, Row const& weight, Row const& bias) {
  Norm norm;
  norm.weight = weight, norm.bias = bias;
  norm.momentum =
      c.options.contains("momentum") ? std::optional(c.option("momentum", 0)) : std::nullopt;
  for (auto const* key : {"before0", "before1"})
    norm = norm(c.tensor<Image>(key), Training{}).second;
  return norm;
}

auto batch_norm(cases::Case const& c, Image const& x, Row const& weight, Row const& bias) {
  auto const [y, next] = trained(c, weight, bias)(x, Training{});
  cases::near(c, "running_mean", *next.running_mean, 1e-14);
  cases::near(c, "running_var", *next.running_var, 1e-14);
  cases::near(c, "evaluated", eval(stop_gradient(next(x))), 1e-13);
  CHECK(next.num_batches_tracked == 3);
  return y;
}

auto local_response(cases::Case const& c, Image const& x) {
  LocalResponseNorm<"channel", 3> norm;
  norm.alpha = c.option("alpha", norm.alpha), norm.beta = c.option("beta", norm.beta);
  norm.k = c.option("k", norm.k);
  return norm(x);
}

using Weight = Float64<"in=5 out=3">;
using Outs = Float64<"out=3">;

auto spectral(cases::Case const& c, Weight const& w) {
  SpectralNormState<Outs, Float64<"in=5">> const start{c.tensor<Outs>("u"),
                                                       c.tensor<Float64<"in=5">>("v")};
  auto const once = spectral_norm<"out">(w, start, Training{}).second;
  auto const [value, next] = spectral_norm<"out">(w, once, Training{});
  cases::near(c, "next_u", next.u), cases::near(c, "next_v", next.v);
  CHECK(all(spectral_norm<"out">(w, next) == value).item());
  return value;
}

template <class Layer, class X>
concept Takes = requires(Layer const& layer, X const& x) { layer(x); };

}  // namespace

static_assert(Takes<BatchNorm<"channel=4">, Float32<"batch channel=4">>);
static_assert(Takes<BatchNorm<"channel=4">, Float32<"height width channel=4 2">>);
static_assert(!Takes<BatchNorm<"channel=4">, Float32<"channel=4">>);
static_assert(!Takes<BatchNorm<"channel=4">, Float32<"batch channel=5">>);
static_assert(!Takes<GroupNorm<"channel=4", 2, "t">, Float32<"batch channel=4">>);
static_assert(!Takes<InstanceNorm<"t">, Float32<"batch channel=4">>);
static_assert(Takes<InstanceNorm1d, Float32<"batch channel time">>);
static_assert(!Takes<InstanceNorm3d, Float32<"batch channel height width">>);

TEST_CASE("normalisations have the values, gradients and running statistics of PyTorch's") {
  using cases::of;
  double const tolerance = 3e-12;
  cases::run(
      "norms.txt",
      {{"BatchNorm", of<Image, Row, Row>({"x", "weight", "bias"}, &batch_norm, tolerance)},
       {"GroupNorm", of<Image, Row, Row>(
                         {"x", "weight", "bias"},
                         [](auto&, auto const& x, auto const& weight, auto const& bias) {
                           return Groups{weight, bias}(x);
                         },
                         tolerance)},
       {"InstanceNorm",
        of<Image>(
            {"x"}, [](auto&, auto const& x) { return InstanceNorm2d()(x); }, tolerance)},
       {"RMSNorm",
        of<Float64<"batch d=7">, Float64<"d=7">>(
            {"x", "weight"},
            [](auto&, auto const& x, auto const& w) { return RMSNorm<"d=7", double>{w}(x); },
            tolerance)},
       {"LocalResponseNorm", of<Image>({"x"}, &local_response, tolerance)},
       {"LocalResponseNormEven",
        of<Image>(
            {"x"},
            [](auto&, auto const& x) { return LocalResponseNorm<"channel", 4>{.alpha = 0.5}(x); },
            tolerance)},
       {"normalize", of<Float64<"batch d=5">>(
                         {"x"}, [](auto&, auto const& x) { return normalize<"d">(x); }, tolerance)},
       {"weight_norm",
        of<Weight, Outs>(
            {"v", "g"},
            [](auto&, auto const& v, auto const& g) { return weight_norm<"out">(v, g); },
            tolerance)},
       {"spectral_norm", of<Weight>({"w"}, &spectral, tolerance)}});
}

TEST_CASE("gradients of normalisations are those of finite differences") {
  auto const x = normal<Float64<"2 channel=4 t=3">>(Key(1));
  using Other = GroupNorm<"channel=4", 2, "t", double>;
  auto const groups = checks::random_model<std::pair<Other, decltype(eval(x))>>(3);
  CHECK_GRADIENT([](auto const& m) { return checks::weighed(m.first(m.second)); }, groups);
  auto const batch = checks::random_model<std::pair<Norm, decltype(eval(x))>>(4);
  CHECK_GRADIENT([](auto const& m) { return checks::weighed(m.first(m.second, Training{}).first); },
                 batch);
}

TEST_CASE("a group norm takes all axes that follow the channels, or those it names") {
  auto const x = normal<Image>(Key(5), 2, 3, 5);
  auto const y = Groups()(x);
  auto const named = GroupNorm<"channel=4", 2, "height width", double>()(x);
  CHECK(max(abs(y - named)).item() < 1e-13);
  CHECK(Groups()(zeros<Image>(0, 3, 5)).size() == 0);
}

TEST_CASE("a batch norm in training: an empty batch, one value, what an optimiser steps") {
  Norm const norm;
  auto const [none, after] = norm(zeros<Image>(0, 3, 5), Training{});
  CHECK(none.size() == 0);
  CHECK(all(*after.running_var == 1.0).item());
  CHECK(after.num_batches_tracked == 1);
  CHECK_THROWS_WITH_AS(
      norm(zeros<Image>(1, 1, 1), Training{}),
      "tenon::BatchNorm: expected more than 1 value per channel in training, got 1", ValueError);
  auto const x = normal<Image>(Key(2), 3, 2, 2);
  Norm next;
  auto const gradient = grad([&](Norm const& m) {
    auto const [y, now] = m(x, Training{});
    next = now;
    return sum(y * y * y);
  })(norm);
  SGD const sgd{.rate = 0.1};
  Norm const stepped = sgd.step(next, gradient, sgd.init(norm)).first;
  CHECK(all(*stepped.running_mean == *next.running_mean).item());
  CHECK(!all(stepped.weight == norm.weight).item());
  CHECK(tree::paths<internal::tree::Stored>(norm)[2] == "running_mean");
}

TEST_CASE("a spectral norm begins with the largest singular value") {
  auto const w = normal<Float64<"in=5 out=3">>(Key(1));
  auto const state = spectral_norm_state<"out">(Key(2), w);
  auto const largest = max(linalg::svd(eval(spectral_norm<"out">(w, state))).s).item();
  CHECK(largest == doctest::Approx(1).epsilon(1e-3));
}

}  // namespace norms_test
