// Masked positions affect neither the result nor the gradient of a query, whatever their values;
// and attention with axes given by position.

#include <limits>

#include <tenon/autodiff/higher_order.hpp>

#include "checks.hpp"

namespace attention_hidden_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Inputs {
  Float64<"batch query head=2 feature=3"> q;
  Float64<"batch key head=2 feature=3"> k, v;
};

Inputs inputs(int length) {
  return {normal<decltype(Inputs::q)>(Key(1), 2, length),
          normal<decltype(Inputs::k)>(Key(2), 2, length),
          normal<decltype(Inputs::v)>(Key(3), 2, length)};
}

/// Sets all features of a position in the second batch element.
template <class E>
void set_position(E& x, int position, double number) {
  for (int head = 0; head < 2; ++head)
    for (int feature = 0; feature < 3; ++feature) x(1, position, head, feature) = number;
}

/// True if the positions before `end` are finite and equal in both.
template <class E>
void same_before(int end, E const& a, E const& b) {
  double worst = 0;
  for (int i = 0; i < a.size(); ++i) {
    double const apart = std::abs(a.data()[i] - b.data()[i]);
    if (i / 6 % a.sizes()[1] < end) worst = apart <= worst ? worst : apart;  // NaN is the worst
  }
  CHECK(worst < 1e-12);
}

/// A scalar of the results of the positions before `end`.
auto loss_before(int end) {
  return [=](Inputs const& x) -> Float64<""> {
    auto const y = attention_of<MultiheadAttentionName, true>(x.q, x.k, x.v);
    return sum(sin(slice<1>(y, 0, end)));
  };
}

void check_hidden(int length, int position, double key, double value) {
  CAPTURE(length);
  CAPTURE(key);
  CAPTURE(value);
  Inputs const x = inputs(length);
  Inputs other = x;
  set_position(other.k, position, key);
  set_position(other.v, position, value);
  auto const y = attention_of<MultiheadAttentionName, true>(other.q, other.k, other.v);
  bits::record("values", y);
  same_before(position, y, attention_of<MultiheadAttentionName, true>(x.q, x.k, x.v));
  if (std::isnan(value) || std::isnan(key)) CHECK(std::isnan(y(1, position, 0, 0)));
  CHECK(std::isfinite(y(0, position, 0, 0)));
  auto const expected = grad(loss_before(position))(x);
  auto const got = grad(loss_before(position))(other);
  bits::record("gradient", got);
  same_before(position, got.q, expected.q);
  same_before(position, got.k, expected.k);
  same_before(position, got.v, expected.v);
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("NaN and infinity do not affect earlier positions") {
  for (int const length : {2, 9}) {
    for (int const position : {length - 1, length / 2}) {
      check_hidden(length, position, 1, none);
      check_hidden(length, position, none, 1);
      check_hidden(length, position, none, none);
      check_hidden(length, position, 1, infinity);
      check_hidden(length, position, infinity, 1);
      check_hidden(length, position, -infinity, -infinity);
    }
  }
}

TEST_CASE("NaN does not affect earlier positions in a sequence of several blocks") {
  int const length = static_cast<int>(queries_at_once) + 5;
  check_hidden(length, length - 1, 1, none);
  check_hidden(length, 3, none, none);
}

TEST_CASE("attention of one query at a time agrees with matmuls, and so does its gradient") {
  Inputs const x = inputs(7);
  auto const numbers = attention_numbers<true>(x.q, x.k);
  auto const loss = [&](auto const& attend) {
    return [&](Inputs const& at) -> Float64<""> { return sum(sin(attend(at))); };
  };
  auto const by_query = [&](auto const& at) {
    return attended_by_query(numbers, at.q, at.k, at.v);
  };
  auto const products = [](auto const& at) {
    return attention_of<MultiheadAttentionName, true>(at.q, at.k, at.v);
  };
  auto const [value, got] = value_and_grad(loss(by_query))(x);
  auto const [same, expected] = value_and_grad(loss(products))(x);
  CHECK(value.item() == doctest::Approx(same.item()));
  bits::record("by query", got);
  bits::record("by matmuls", expected);
  same_before(7, got.q, expected.q);
  same_before(7, got.k, expected.k);
  same_before(7, got.v, expected.v);
}

TEST_CASE("masked positions do not affect second derivatives") {
  Inputs const x = inputs(5);
  Inputs other = x;
  set_position(other.v, 4, none);
  auto const along = [](Inputs const& at) {
    auto const loss = [&](decltype(Inputs::q) const& q) -> Float64<""> {
      return sum(square(slice<1>(attention_of<MultiheadAttentionName, true>(q, at.k, at.v), 0, 4)));
    };
    return hvp(loss, at.q, at.q);
  };
  bits::record("second derivative", along(x));
  same_before(4, along(other), along(x));
}

TEST_CASE(
    "the axes of attention are identified by position: the result has the names of the queries") {
  auto const x = inputs(6);
  auto const q = rename<"batch -> b, query -> t, head -> h, feature -> d">(x.q);
  auto const k = rename<"batch -> b, key -> t, head -> h, feature -> d">(x.k);
  auto const v = rename<"batch -> b, key -> s, head -> h, feature -> d">(x.v);
  auto const y = attention_of<MultiheadAttentionName, true>(q, k, eval(v * 1.0));
  static_assert(shape_of<decltype(y)> == "b t h=2 d=3");
  checks::near(y, naive::numbers(attention_of<MultiheadAttentionName, true>(x.q, x.k, x.v)), 1e-14);
  auto const all = attention_of<MultiheadAttentionName, false>(
      Float64<"1 2 2 3">(slice<0, 1>(slice<1, 2>(x.q, 0), 0)), eval(slice<0, 1>(x.k, 0)),
      eval(slice<0, 1>(x.v, 0)));
  static_assert(shape_of<decltype(all)> == "1 2 2 3");
  CHECK(std::isfinite(all(0, 1, 1, 2)));
}

TEST_CASE("run-time sizes of batches and heads must be equal") {
  auto const q = zeros<Float64<"batch query head feature">>(1, 4, 2, 3);
  auto const k = zeros<Float64<"batch key head feature">>(2, 4, 2, 3);
  CHECK_THROWS_AS((attention_of<MultiheadAttentionName, true>(q, k, k)), ShapeError);
  auto const other = zeros<Float64<"batch key head feature">>(2, 4, 3, 3);
  CHECK_THROWS_AS((attention_of<MultiheadAttentionName, false>(k, k, other)), ShapeError);
}

}  // namespace attention_hidden_test
