#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <string>
#include <type_traits>

#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"

namespace multihead_attention_test {

using namespace tenon;

namespace {

using Layer = MultiheadAttention<"embed=4", 2, double>;
using Rows = Float64<"batch t embed=4">;
using Memory = Float64<"batch s embed=4">;

struct Arguments {
  Layer layer;
  Rows x;
  Memory memory;
};

/// The layer with the parameters of a case, or their gradients.
Layer layer_in(cases::Case const& c, std::string const& what) {
  return Layer::from_state(c.tensor<Float64<"_ _">>(what + "in_proj_weight"),
                           c.tensor<Float64<"_">>(what + "in_proj_bias"),
                           c.tensor<Float64<"_ _">>(what + "out_proj.weight"),
                           c.tensor<Float64<"_">>(what + "out_proj.bias"));
}

void check_near(auto const& got,
                std::type_identity_t<std::remove_cvref_t<decltype(got)>> const& expected) {
  CHECK(allclose(got, expected, {.relative = 1e-12, .absolute = 1e-12}));
}

void check_case(cases::Case const& c, auto const& f) {
  CAPTURE(c.name);
  bool const cross = c.arrays.contains("memory");
  Arguments const at{layer_in(c, ""), c.tensor<Rows>("x"),
                     cross ? c.tensor<Memory>("memory") : Memory()};
  check_near(Rows(f(at)), c.tensor<Rows>("value"));
  auto const gradient = grad([&](Arguments const& a) {
    Rows const value = f(a);
    return sum(value * cases::weights_like(eval(stop_gradient(value))));
  })(at);
  check_near(gradient.x, c.tensor<Rows>("grad x"));
  if (cross) check_near(gradient.memory, c.tensor<Memory>("grad memory"));
  Layer const expected = layer_in(c, "grad ");
  for (auto part : {&Layer::query, &Layer::key, &Layer::value, &Layer::output}) {
    check_near((gradient.layer.*part).weight, (expected.*part).weight);
    check_near((gradient.layer.*part).bias, (expected.*part).bias);
  }
}

void check(cases::Case const& c) {
  auto const seen = [&] { return eval(c.tensor<Float64<"query key">>("mask") != 0); };
  if (c.name == "self") check_case(c, [](auto const& a) { return a.layer(a.x); });
  if (c.name == "causal") {
    check_case(c, [](auto const& a) { return a.layer(a.x, is_causal); });
    check_case(c, [&](auto const& a) { return a.layer(a.x, seen()); });
  }
  if (c.name == "boolean") check_case(c, [&](auto const& a) { return a.layer(a.x, seen()); });
  if (c.name == "cross") {
    check_case(c, [](auto const& a) { return a.layer(a.x, a.memory, a.memory); });
    auto const [value, weights] = layer_in(c, "")(c.tensor<Rows>("x"), c.tensor<Memory>("memory"),
                                                  c.tensor<Memory>("memory"), need_weights);
    check_near(weights, c.tensor<Float64<"batch head=2 query key">>("weights"));
  }
  if (c.name == "added") {
    auto const mask = reshape<"batch=2 head=2 query=3 key=2">(c.tensor<Float64<"4 3 2">>("mask"));
    check_case(c, [&](auto const& a) { return a.layer(a.x, a.memory, a.memory, mask); });
  }
}

}  // namespace

TEST_CASE("multi-head attention has the values and gradients of PyTorch's") {
  int number = 0;
  for (cases::Case const& c : cases::read("multihead_attention.txt")) check(c), ++number;
  CHECK(number == 5);
}

TEST_CASE("heads of keys for groups of queries, and more features than the embedding has") {
  using Grouped = MultiheadAttention<"embed=4", AttentionHeads{4, 2, 3}, double>;
  auto const layer = Grouped::reset_parameters(Key(1));
  auto const x = normal<Float64<"batch t embed=4">>(Key(2), 2, 5);
  auto const heads = [](auto const& rows) {
    return rearrange<"batch t (head d=3) -> batch head t d">(eval(rows));
  };
  auto const mixed = scaled_dot_product_attention(heads(layer.query(x)), heads(layer.key(x)),
                                                  heads(layer.value(x)), is_causal, enable_gqa);
  auto const rows = eval(rearrange<"batch head t d -> batch t (head d)">(mixed));
  check_near(eval(layer(x, is_causal)), layer.output(rows));
}

TEST_CASE("a text is continued with a cache as if it were computed whole") {
  using Grouped = MultiheadAttention<"embed=8", AttentionHeads{2, 1}, double>;
  auto const layer = Grouped::reset_parameters(Key(1));
  auto const x = normal<Float64<"batch t embed=8">>(Key(2), 2, 6);
  auto const frequencies = rotary_frequencies<double>(4);
  auto const whole = eval(layer(x, is_causal, rotary_positions(frequencies, 0, 6)));
  auto cache = layer.new_cache(2, 10);
  for (auto const& [begin, end] : {std::pair(0, 3), std::pair(3, 4), std::pair(4, 6)}) {
    auto const rotary = rotary_positions(frequencies, cache.length, end - begin);
    auto const part = slice<"t">(x, begin, end);
    check_near(eval(layer(part, rotary, cache, is_causal)), slice<"t">(whole, begin, end));
  }
  CHECK(cache.length == 6);
  CHECK_THROWS_AS((void)layer(x, cache), IndexError);
}

TEST_CASE("a scale, dropout of the weights, and a mask for each key") {
  auto const layer = Layer::reset_parameters(Key(1));
  auto const x = normal<Rows>(Key(2), 2, 5);
  check_near(eval(layer(x, AttentionScale{1 / std::sqrt(2.0)})), layer(x));
  auto scaled = layer;
  scaled.query.weight = layer.query.weight * 3.0;
  check_near(eval(layer(x, AttentionScale{3 / std::sqrt(2.0)}, is_causal)), scaled(x, is_causal));
  auto dropping = layer;
  dropping.dropout.rate = 0.5f;
  check_near(eval(layer(x, Key(5))), layer(x));
  CHECK(any(eval(dropping(x, Key(5))) != eval(layer(x))).item());
  check_near(eval(dropping(x, Key(5))), dropping(x, Key(5)));
  auto const seen = eval(iota<Int32<"key">>(5) < 3);
  auto const shorter = eval(layer(slice<"t">(x, 0, 3)));
  check_near(eval(slice<"t">(eval(layer(x, seen)), 0, 3)), shorter);
  auto const padding = eval(repeat<"key -> batch=2 1 1 key">(seen));
  check_near(eval(slice<"t">(eval(layer(x, padding)), 0, 3)), shorter);
}

TEST_CASE("the initial weights are uniform, within PyTorch's bounds") {
  using Wide = MultiheadAttention<"embed=64", 4>;
  auto const layer = Wide::reset_parameters(Key(3));
  auto const largest = [](auto const& linear) { return max(abs(linear.weight)).item(); };
  double const packed = std::sqrt(6.0 / 256), own = 1.0 / 8;
  for (double const got : {largest(layer.query), largest(layer.key), largest(layer.value)})
    CHECK((got <= packed && got > 0.99 * packed));
  CHECK((largest(layer.output) <= own && largest(layer.output) > 0.99 * own));
  CHECK(max(abs(layer.query.bias)).item() == 0);
  CHECK(any(layer.query.weight != layer.key.weight).item());
}

TEST_CASE("rotary positions turn pairs of features like complex numbers") {
  auto const x = normal<Float64<"t head=2 feature=6">>(Key(1), 4);
  auto const y = rotary_embedding<"t">(x, rotary_positions(rotary_frequencies<double>(6), 3, 4));
  static_assert(shape_of<decltype(y)> == "t head=2 feature=6");
  for (int t = 0; t < 4; ++t)
    for (int head = 0; head < 2; ++head)
      for (int i = 0; i < 3; ++i) {
        std::complex<double> const before(x(t, head, i), x(t, head, i + 3));
        auto const after = before * std::polar(1.0, (t + 3) * std::pow(10000.0, -i / 3.0));
        CHECK(std::abs(after - std::complex(y(t, head, i), y(t, head, i + 3))) < 1e-13);
      }
  auto const last = normal<Float32<"b t feature">>(Key(1), 2, 3, 4);
  auto const rotary = rotary_positions(rotary_frequencies(4), 0, 3);
  CHECK(allclose(take<"t">(rotary_embedding<"t">(last, rotary), 0), take<"t">(last, 0)));
  CHECK_THROWS_AS(rotary_embedding<"b">(last, rotary), ShapeError);
}

TEST_CASE("sinusoidal positions alternate sines and cosines") {
  auto const p = sinusoidal_positions<Float64<"t embed=5">>(4);
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 5; ++i) {
      double const angle = t * std::pow(10000.0, -(i - i % 2) / 5.0);
      CHECK(p(t, i) == doctest::Approx(i % 2 == 0 ? std::sin(angle) : std::cos(angle)));
    }
}

TEST_CASE("ALiBi subtracts the distance times the slope of a head") {
  auto const eight = alibi<Float64<"head=8 query key">>(2, 3);
  for (int head = 0; head < 8; ++head)
    for (int q = 0; q < 2; ++q)
      for (int k = 0; k < 3; ++k)
        CHECK(eight(head, q, k) == doctest::Approx(std::exp2(-head - 1) * (k - q - 1)));
  auto const three = alibi<Float64<"head query key">>(3, 1, 2);  // 1/16, 1/256, then 1/4
  CHECK(three(0, 0, 0) == doctest::Approx(-1.0 / 16));
  CHECK(three(1, 0, 0) == doctest::Approx(-1.0 / 256));
  CHECK(three(2, 0, 0) == doctest::Approx(-1.0 / 4));
}

}  // namespace multihead_attention_test
