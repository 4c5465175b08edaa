#include "checks.hpp"

namespace attention_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

template <class T, class D>
using Layer = MultiheadAttention<"embed=6", 2, T, D>;

template <class T, class D, Spec S>
using X = Of<T, S, D>;

template <class Model, class E>
concept Takes = requires(Model const& layer, E const& x) { layer(x, is_causal); };

template <class E>
concept IsTaken = Takes<Layer<float, Cpu>, E>;

}  // namespace

static_assert(IsTaken<Float32<"batch t embed=6">>);
static_assert(IsTaken<Float32<"b time 6">>);
static_assert(IsTaken<Float32<"t embed=6">>);
static_assert(!IsTaken<Float32<"embed=6">>);
static_assert(!IsTaken<Float32<"batch t embed=8">>);
static_assert(!IsTaken<Float32<"batch embed=6 t">>);
static_assert(shape_of<decltype(Layer<float, Cpu>()(Float32<"b time embed=6">()))> ==
              "b time embed=6");

TEST_CASE_TEMPLATE("attention agrees with loops, for any batch and length", D, Cpu, Reference) {
  auto const layer = checks::random_model<Layer<double, D>>(1);
  for (int const batch : {1, 3}) {
    for (int const length : {1, 2, 7, 19}) {
      auto const x = normal<X<double, D, "batch t embed=6">>(Key(2), batch, length);
      auto const steps = static_cast<std::size_t>(length);
      auto const expected = naive::attention(layer, naive::rows(x), steps, 2);
      checks::near(eval(layer(x, is_causal)), expected.data, 1e-14);
    }
  }
}

TEST_CASE("all axes before the last two are batch axes") {
  auto const layer = checks::random_model<Layer<double, Cpu>>(1);
  auto const x = normal<Float64<"a=2 b t embed=6">>(Key(2), 3, 4);
  auto const y = eval(layer(x, is_causal));
  static_assert(shape_of<decltype(y)> == "a=2 b t embed=6");
  checks::near(y, naive::attention(layer, naive::rows(x), 4, 2).data, 1e-14);
  auto const sequence = normal<Float64<"t embed=6">>(Key(2), 4);
  checks::near(eval(layer(sequence, is_causal)),
               naive::attention(layer, naive::rows(sequence), 4, 2).data, 1e-14);
}

TEST_CASE_TEMPLATE("no position attends to a later one", D, Cpu, Reference) {
  auto const layer = checks::random_model<Layer<double, D>>(3);
  auto x = normal<X<double, D, "batch t embed=6">>(Key(4), 2, 9);
  auto const before = eval(layer(x, is_causal));
  for (int e = 0; e < 6; ++e) x(1, 5, e) += 1.0;
  auto const after = eval(layer(x, is_causal));
  for (int t = 0; t < 9; ++t) {
    bool same = true;
    for (int e = 0; e < 6; ++e) {
      CHECK(after(0, t, e) == before(0, t, e));
      same = same && after(1, t, e) == before(1, t, e);
    }
    CHECK(same == (t < 5));
  }
}

TEST_CASE("attention in blocks agrees with loops") {
  auto const layer = checks::random_model<Layer<double, Cpu>>(1);
  auto const length = static_cast<int>(2 * queries_at_once + 5);
  auto const x = normal<X<double, Cpu, "batch t embed=6">>(Key(2), 2, length);
  auto const expected =
      naive::attention(layer, naive::rows(x), static_cast<std::size_t>(length), 2);
  checks::near(eval(layer(x, is_causal)), expected.data, 1e-14);
}

TEST_CASE("queries, keys and values must have equal lengths") {
  auto const q = zeros<Float64<"batch query head=2 feature=3">>(1, 4);
  auto const k = zeros<Float64<"batch key head=2 feature=3">>(1, 4);
  auto const other = zeros<Float64<"batch key head=2 feature=3">>(1, 5);
  CHECK_THROWS_WITH_AS(
      (attention_of<MultiheadAttentionName, true>(q, other, k)),
      "tenon::MultiheadAttention: 'key': expected 4 positions, as many as queries, "
      "got 5",
      ShapeError);
  CHECK_THROWS_AS((attention_of<MultiheadAttentionName, true>(q, k, other)), ShapeError);
}

TEST_CASE("in full attention every query attends to all keys, of a sequence of another length") {
  auto const q = normal<Float64<"batch query head=2 feature=3">>(Key(1), 2, 5);
  auto const k = normal<Float64<"batch key head=2 feature=3">>(Key(2), 2, 70);
  auto const v = normal<Float64<"batch key head=2 feature=3">>(Key(3), 2, 70);
  auto const y = attention_of<MultiheadAttentionName, false>(q, k, v);
  bits::record("values", y);
  for (int head = 0; head < 2; ++head) {
    std::vector<double> weights;
    double total = 0, expected = 0;
    for (int j = 0; j < 70; ++j) {
      double score = 0;
      for (int f = 0; f < 3; ++f) score += q(1, 4, head, f) * k(1, j, head, f);
      weights.push_back(std::exp(score / std::sqrt(3.0)));
      total += weights.back();
    }
    for (int j = 0; j < 70; ++j)
      expected += weights[static_cast<std::size_t>(j)] * v(1, j, head, 2);
    CHECK(y(1, 4, head, 2) == doctest::Approx(expected / total).epsilon(1e-13));
  }
  CHECK_THROWS_WITH_AS(
      (attention_of<MultiheadAttentionName, false>(
          q, k, zeros<Float64<"batch key head=2 feature=3">>(2, 69))),
      "tenon::MultiheadAttention: 'value': expected 70 positions, as many as keys, "
      "got 69",
      ShapeError);
}

TEST_CASE_TEMPLATE("an empty batch and an empty sequence", D, Cpu, Reference) {
  Layer<double, D> const layer;
  CHECK(eval(layer(zeros<X<double, D, "batch t embed=6">>(0, 4))).size() == 0);
  CHECK(eval(layer(zeros<X<double, D, "batch t embed=6">>(3, 0))).size() == 0);
}

TEST_CASE_TEMPLATE("the gradient of attention with respect to its projections and its input", D,
                   Cpu, Reference) {
  using Model = std::pair<Layer<double, D>, X<double, D, "batch t embed=6">>;
  Model const model = checks::random_model<Model>(
      5, {{}, X<double, D, "batch t embed=6">::uninitialised({2, 4, 6, 1, 1, 1, 1, 1})});
  checks::gradient([](auto const& m) { return checks::weighed(m.first(m.second)); }, model);
}

}  // namespace attention_test
