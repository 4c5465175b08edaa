#include "checks.hpp"

namespace experts_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

template <class T>
using Layer = MixtureOfExperts<"embed=4", "hidden=6", "expert=5", 2, T>;
/// The same with a run-time number of experts.
using OpenLayer = MixtureOfExperts<"embed=4", "hidden=6", "expert", 2, double>;

template <class Model, class E>
concept Takes = requires(Model const& layer, E const& x) { layer(x); };

/// One expert applied to one token, by loops.
template <class L>
naive::Numbers one_expert(L const& layer, naive::Numbers const& x, std::size_t expert) {
  std::size_t const width = x.size(), hidden = static_cast<std::size_t>(layer.up.sizes()[2]);
  naive::Rows h = naive::zeros(1, hidden);
  for (std::size_t j = 0; j < hidden; ++j) {
    h.data[j] = layer.up_bias.data()[expert * hidden + j];
    for (std::size_t i = 0; i < width; ++i)
      h.data[j] += x[i] * layer.up.data()[(expert * width + i) * hidden + j];
  }
  h = naive::gelu(h);
  naive::Numbers y(width);
  for (std::size_t i = 0; i < width; ++i) {
    y[i] = layer.down_bias.data()[expert * width + i];
    for (std::size_t j = 0; j < hidden; ++j)
      y[i] += h.data[j] * layer.down.data()[(expert * hidden + j) * width + i];
  }
  return y;
}

naive::Numbers probabilities(naive::Rows const& gate, naive::Numbers const& x) {
  naive::Numbers logits(gate.width, 0.0);
  for (std::size_t e = 0; e < gate.width; ++e)
    for (std::size_t i = 0; i < x.size(); ++i) logits[e] += x[i] * gate.at(i, e);
  return naive::softmax(logits);
}

/// The indices of the `k` largest, the first ones for ties.
std::vector<std::size_t> largest(naive::Numbers numbers, std::size_t k) {
  std::vector<std::size_t> places;
  while (places.size() < k) {
    auto const found = std::max_element(numbers.begin(), numbers.end()) - numbers.begin();
    places.push_back(static_cast<std::size_t>(found));
    numbers[places.back()] = -1;
  }
  return places;
}

/// The layer by loops over tokens; an expert has room for `capacity` tokens.
template <class L>
naive::Numbers mixture(L const& layer, naive::Rows const& x, std::size_t k, int capacity) {
  naive::Rows const gate = naive::rows(layer.gate);
  std::vector<int> taken(gate.width, 0);
  naive::Rows y = naive::zeros(x.count(), x.width);
  for (std::size_t t = 0; t < x.count(); ++t) {
    naive::Numbers row(x.width);
    for (std::size_t i = 0; i < x.width; ++i) row[i] = x.at(t, i);
    auto const p = probabilities(gate, row);
    auto const chosen = largest(p, k);
    double all = 0;
    for (auto const e : chosen) all += p[e];
    for (auto const e : chosen) {
      if (taken[e]++ >= capacity) continue;
      auto const made = one_expert(layer, row, e);
      double const weight = layer.options.renormalise ? p[e] / all : p[e];
      for (std::size_t i = 0; i < x.width; ++i) y.at(t, i) += weight * made[i];
    }
  }
  return y.data;
}

}  // namespace

static_assert(
    std::same_as<decltype(Layer<float>()(Float32<"b time embed=4">())), Float32<"b time embed=4">>);
static_assert(!Takes<Layer<float>, Float32<"batch t embed=6">>);

TEST_CASE("a mixture of experts agrees with loops over tokens") {
  auto layer = checks::random_model<Layer<double>>(1);
  for (int const batch : {0, 1, 7}) {
    auto const x = normal<Float64<"batch t embed=4">>(Key(2), batch, 3);
    for (bool const renormalise : {false, true}) {
      layer.options.renormalise = renormalise;
      checks::near(layer(x), mixture(layer, naive::rows(x), 2, 1000), 1e-13);
    }
  }
}

TEST_CASE("tokens beyond the capacity of an expert are dropped, the last ones first") {
  auto layer = checks::random_model<Layer<double>>(1);
  auto const x = normal<Float64<"batch embed=4">>(Key(2), 10);
  auto const all = naive::numbers(layer(x));
  for (int const capacity : {1, 2, 3, 5}) {
    layer.options.capacity_factor = static_cast<float>(capacity) / 4;  // of 10 · 2 / 5
    auto const y = layer(x);
    checks::near(y, mixture(layer, naive::rows(x), 2, capacity), 1e-13);
    if (capacity < 4) CHECK(naive::numbers(y) != all);
  }
}

TEST_CASE("a capacity is rounded up, and is at most the number of tokens") {
  CHECK(capacity_of(1.1f, 10, 2, 2) == 10);
  CHECK(capacity_of(1.1f, 10, 2, 4) == 6);
  CHECK(capacity_of(1.1f, 100, 1, 10) == 11);
  CHECK(capacity_of(0.01f, 10, 1, 10) == 1);
  CHECK(capacity_of(2, 0, 1, 10) == 0);
  CHECK(capacity_of(std::numeric_limits<float>::infinity(), 7, 2, 3) == 7);
  CHECK_THROWS_WITH(
      capacity_of(0, 1, 1, 1),
      "tenon::MixtureOfExperts: 'capacity_factor': expected a number above 0, got 0.000000");
}

TEST_CASE("for equal probabilities the first experts are chosen") {
  auto const routing =
      route_tokens<float, "expert=5", 3>(zeros<Float32<"token expert=5">>(2), true);
  CHECK(naive::numbers(routing.experts) == naive::Numbers{0, 1, 2, 0, 1, 2});
  checks::near(routing.weights, naive::Numbers(6, 1.0 / 3), 1e-6);
}

TEST_CASE("16-bit numbers are routed in float") {
  auto const wide = checks::random_model<Layer<float>>(1);
  auto const layer = checks::random_model<Layer<bfloat16>>(1);
  auto const x = normal<Float32<"batch embed=4">>(Key(2), 10);
  auto const y = layer(to<bfloat16>(x));
  static_assert(std::same_as<decltype(y), BFloat16<"batch embed=4"> const>);
  static_assert(
      std::same_as<decltype(layer.route(rows_of_tokens(y)).weights), Float32<"token choice=2">>);
  checks::near(eval(to<float>(y)), naive::numbers(wide(x)), 0.03);
}

TEST_CASE("the gradient of a mixture with respect to its weights, its gate and its tokens") {
  using Model = std::pair<Layer<double>, Float64<"batch embed=4">>;
  Model model = checks::random_model<Model>(
      3, {{}, Float64<"batch embed=4">::uninitialised({6, 4, 1, 1, 1, 1, 1, 1})});
  for (float const factor : {100.0f, 0.5f}) {
    model.first.options.capacity_factor = factor;
    checks::gradient([](auto const& m) { return checks::weighed(m.first(m.second)); }, model);
  }
}

TEST_CASE("the losses of the router agree with loops, and have gradients") {
  using Model = std::pair<Layer<double>, Float64<"batch embed=4">>;
  Model const model = checks::random_model<Model>(
      3, {{}, Float64<"batch embed=4">::uninitialised({6, 4, 1, 1, 1, 1, 1, 1})});
  auto const rows = naive::rows(model.second), gate = naive::rows(model.first.gate);
  naive::Numbers share(5, 0), mean(5, 0);
  double z = 0, balance = 0;
  for (std::size_t t = 0; t < 6; ++t) {
    naive::Numbers const row(&rows.data[4 * t], &rows.data[4 * t] + 4);
    auto const p = probabilities(gate, row);
    for (auto const e : largest(p, 2)) share[e] += 1.0 / 12;
    for (std::size_t e = 0; e < 5; ++e) mean[e] += p[e] / 6;
    double logit = 0;
    for (std::size_t i = 0; i < 4; ++i) logit += row[i] * gate.at(i, 0);
    z += std::pow(logit - std::log(p[0]), 2) / 6;  // log p = logit - logsumexp
  }
  for (std::size_t e = 0; e < 5; ++e) balance += 5 * share[e] * mean[e];
  auto const got = model.first.with_losses(model.second);
  checks::near(got.value, naive::numbers(model.first(model.second)), 0);
  checks::near(got.balance_loss, {balance}, 1e-14);
  checks::near(got.z_loss, {z}, 1e-14);
  checks::gradient(
      [](auto const& m) {
        auto const made = m.first.with_losses(m.second);
        return eval(made.balance_loss + 3.0 * made.z_loss);
      },
      model);
}

TEST_CASE("equally used experts have a balance loss of one") {
  auto const routing =
      route_tokens<double, "expert=4", 1>(eval(100.0 * eye<Float64<"token expert=4">>(4)), false);
  ExpertLoad const load{{counts_of_choices(routing.experts, 4)}, 1, 0};
  checks::near(balance_loss_share(routing, load), {1}, 1e-14);
}

TEST_CASE("the number of experts may be a run-time size") {
  auto const known = checks::random_model<Layer<double>>(1);
  OpenLayer const open{known.gate, known.up, known.up_bias, known.down, known.down_bias, {}};
  auto const x = normal<Float64<"batch embed=4">>(Key(2), 7);
  checks::near(open(x), naive::numbers(known(x)), 1e-14);
  CHECK_THROWS_AS(OpenLayer()(x), IndexError);
  auto const drawn = tenon::init::normal(Key(1), 0.02, OpenLayer::with_experts(3));
  CHECK(drawn.up.sizes()[0] == 3);
  CHECK(max(abs(drawn.up)).item() > 0);
  CHECK(max(abs(drawn.up_bias)).item() == 0);
}

}  // namespace experts_test
