#include <doctest/doctest.h>

#include <map>
#include <string>
#include <type_traits>

#include <tenon/nn.hpp>
#include <tenon/testing.hpp>

#include "cases.hpp"

namespace scaled_dot_product_attention_test {

using namespace tenon;

namespace {

/// The operands; `M` is the mask, where there is one.
template <class M>
struct Inputs {
  Float64<"b h query f"> q;
  Float64<"b kv key f"> k;
  Float64<"b kv key g"> v;
  M mask;
};

void check_near(cases::Case const& c, std::string const& key, auto const& got) {
  CAPTURE(key);
  auto const expected = c.tensor<std::remove_cvref_t<decltype(got)>>(key);
  CHECK(allclose(got, expected, {.relative = 1e-12, .absolute = 1e-13}));
}

/// Compares the value and the gradients of f(q, k, v, mask) with those of PyTorch.
template <class M>
void check_case(cases::Case const& c, M const& mask, auto const& f) {
  Inputs<M> const at{c.tensor<decltype(Inputs<M>::q)>("q"), c.tensor<decltype(Inputs<M>::k)>("k"),
                     c.tensor<decltype(Inputs<M>::v)>("v"), mask};
  auto const apply = [&](auto const& x) {
    return f(x.q, rename<"kv -> h">(x.k), rename<"kv -> h">(x.v), x.mask);
  };
  static_assert(shape_of<decltype(apply(at))> == "b h query g");
  check_near(c, "value", apply(at));
  auto const gradient = grad([&](auto const& x) {
    auto const value = apply(x);
    return sum(value * cases::weights_like(eval(stop_gradient(value))));
  })(at);
  check_near(c, "grad q", gradient.q);
  check_near(c, "grad k", gradient.k);
  check_near(c, "grad v", gradient.v);
  if constexpr (std::is_same_v<typename M::value_type, double>)
    if (M::rank > 1) check_near(c, "grad mask", gradient.mask);
}

Mask<"query key"> seen_in(cases::Case const& c) {
  return c.tensor<Float64<"query key">>("seen") != 0;
}

/// Without a mask a case has no gradient of one.
using None = Float64<"">;

constexpr auto attend = [](auto const&... x) { return scaled_dot_product_attention(x...); };

void check(cases::Case const& c) {
  AttentionScale const scale{c.option("scale", 1 / std::sqrt(2.0))};
  auto const with = [&](auto const&... options) {
    return [=](auto const& q, auto const& k, auto const& v, auto const&) {
      return attend(q, k, v, options...);
    };
  };
  auto const masked = [&](auto const&... options) {
    return [=](auto const&... x) { return attend(x..., options...); };
  };
  if (c.name == "plain") check_case(c, None(), with(scale));
  if (c.name == "causal") check_case(c, None(), with(is_causal));
  if (c.name == "boolean") check_case(c, seen_in(c), masked());
  if (c.name == "boolean_causal") {
    check_case(c, seen_in(c), masked());
    check_case(c, seen_in(c), masked(is_causal));
  }
  if (c.name == "added") check_case(c, c.tensor<Float64<"b 1 query key">>("mask"), masked());
  if (c.name == "grouped")
    check_case(c, c.tensor<Float64<"h query key">>("mask"), masked(enable_gqa, scale));
  if (c.name == "multi_query") check_case(c, None(), with(enable_gqa));
}

}  // namespace

TEST_CASE("attention has the values and gradients of PyTorch's") {
  int number = 0;
  for (cases::Case const& c : cases::read("attention.txt")) {
    CAPTURE(c.name);
    check(c);
    ++number;
  }
  CHECK(number == 8);
}

TEST_CASE("heads and batches may be missing, and names are those of the queries") {
  auto const q = normal<Float64<"b head=2 t d=3">>(Key(1), 2, 4);
  auto const k = normal<Float64<"b head=2 s d=3">>(Key(2), 2, 5);
  auto const all = scaled_dot_product_attention(q, k, k);
  static_assert(shape_of<decltype(all)> == "b head=2 t d=3");
  auto const of_heads =
      scaled_dot_product_attention(take<"b">(q, 1), take<"b">(k, 1), take<"b">(k, 1));
  static_assert(shape_of<decltype(of_heads)> == "head=2 t d=3");
  CHECK(allclose(of_heads, take<"b">(all, 1)));
  auto const of_one = [](auto const& x) { return take<"head">(take<"b">(x, 1), 0); };
  auto const one = scaled_dot_product_attention(of_one(q), of_one(k), of_one(k));
  static_assert(shape_of<decltype(one)> == "t d=3");
  CHECK(allclose(one, of_one(all)));
}

TEST_CASE("static heads are split into groups") {
  auto const q = normal<Float32<"b head=4 t d=8">>(Key(1), 2, 3);
  auto const k = normal<Float32<"b head=2 s d=8">>(Key(2), 2, 5);
  auto const seen = bernoulli<Mask<"head=4 1 s">>(Key(4), 0.5f, 5);
  auto const grouped = scaled_dot_product_attention(q, k, k, seen, enable_gqa);
  auto const each = eval(repeat<"b kv s d -> b (kv group=2) s d">(k));
  auto const repeated = scaled_dot_product_attention(q, each, each, seen);
  CHECK(allclose(grouped, repeated, {.relative = 1e-5, .absolute = 1e-6}));
}

TEST_CASE("equal keys drop equal weights, whose mean is preserved") {
  auto const q = normal<Float64<"head=2 t d=3">>(Key(1), 4);
  auto const values = ones<Float64<"head=2 s d=3">>(2000);
  auto const of = [&](auto const&... x) { return attend(q, values, values, x...); };
  auto const y = of(Dropout{0.5f}, Key(3));
  CHECK(all(y == of(Key(3), Dropout{0.5f})).item());
  CHECK(any(y != of(Dropout{0.5f}, Key(4))).item());
  CHECK(mean(y).item() == doctest::Approx(1).epsilon(0.05));
  CHECK(allclose(of(Dropout{0}, Key(3)), of()));
}

TEST_CASE("sizes known at run time are compared") {
  auto const q = zeros<Float64<"b head t d">>(1, 4, 2, 3),
             k = zeros<Float64<"b head t d">>(1, 2, 2, 3);
  CHECK_THROWS_AS(scaled_dot_product_attention(q, k, k), ShapeError);
  CHECK_NOTHROW(scaled_dot_product_attention(q, k, k, enable_gqa));
  CHECK_THROWS_AS(scaled_dot_product_attention(k, q, q, enable_gqa), ShapeError);
  auto const mask = zeros<Float64<"head t s">>(3, 2, 2);
  CHECK_THROWS_AS(scaled_dot_product_attention(q, q, q, rename<"s -> t">(mask)), ShapeError);
  CHECK_THROWS_WITH_AS(
      scaled_dot_product_attention(q, zeros<Float64<"b head t d">>(1, 4, 5, 3),
                                   zeros<Float64<"b head t d">>(1, 4, 5, 3), is_causal),
      "tenon::scaled_dot_product_attention: 'key': expected 2 positions, as many as queries, got 5",
      ShapeError);
}

}  // namespace scaled_dot_product_attention_test
