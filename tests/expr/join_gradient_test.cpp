#include <doctest/doctest.h>

#include <string>

#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

namespace join_gradient_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// A scalar in which each element has a different weight.
template <class E>
auto weighed(E const& e) {
  auto weights = TensorOf<E>::uninitialised(e.sizes());
  for (std::int64_t i = 0; i < weights.size(); ++i)
    weights.mutable_data()[i] = 1 + static_cast<double>(i % 7) / 4;
  return sum(e * e * weights);
}

/// Checks the gradient of `weighed(f(x))` against central differences.
template <class F, class X>
void check_weighed(F const& f, X const& x) {
  CHECK_GRADIENT([&](X const& at) { return weighed(f(at)); }, x);
}

TEST_CASE_TEMPLATE("gradients reach every operand of concat", D, Cpu, Reference) {
  Float64<"batch t", D> const x = iota<Float64<"batch t", D>>(3, 4) / 8.0;
  Float64<"t k=2", D> const w = iota<Float64<"t k=2", D>>(4) / 8.0;
  check_weighed([](auto const& v) { return concat<"t">(v, v * v); }, x);
  check_weighed([](auto const& v) { return concat<"batch">(softmax<"t">(v), v); }, x);
  check_weighed([&](auto const& v) { return concat<1>(matmul(v, w), v); }, x);
  check_weighed([&](auto const& v) { return concat<1>(v, tanh(matmul(v, w) + 1.0)); }, x);
  check_weighed([](auto const& v) { return concat<0>(sum<"batch">(v), mean<"t">(v)); }, x);
}

TEST_CASE_TEMPLATE("gradients reach the operands of stack and pad", D, Cpu, Reference) {
  Float64<"batch t", D> const x = iota<Float64<"batch t", D>>(3, 4) / 8.0;
  check_weighed([](auto const& v) { return stack<"l">(v, exp(v), v); }, x);
  check_weighed([](auto const& v) { return stack<"l", -1>(v, exp(v), v); }, x);
  check_weighed([](auto const& v) { return stack<"l">(sum(v), mean(v)); }, x);
  check_weighed([](auto const& v) { return pad<"t", 1, 2>(v * v, 3); }, x);
  check_weighed([](auto const& v) { return pad<"batch t", 0, 1>(v); }, x);
}

TEST_CASE_TEMPLATE("set passes no gradient to replaced elements and passes it to the replacements",
                   D, Cpu, Reference) {
  Float64<"batch t", D> const x = iota<Float64<"batch t", D>>(3, 4) / 8.0;
  Int32<"k=3", D> const at{1, 3, 1};
  check_weighed([](auto const& v) { return set<"t">(v, 1, 0); }, x);
  check_weighed([](auto const& v) { return set<"batch">(v * 2.0, 1, sum<"batch">(v)); }, x);
  check_weighed(
      [&](auto const& v) { return set<"t">(v, at, rename<"t -> k">(slice<"t", 0, 3>(v * v))); }, x);
  check_weighed(
      [&](auto const& v) { return set<"t">(ones<Float64<"batch t", D>>(3, 4), 2, mean<"t">(v)); },
      x);
}

TEST_CASE("a constant operand of concat has no gradient computed") {
  auto const x = ones<Float32<"n">>(3);
  auto const g =
      grad([](auto const& v) { return sum(concat<0>(ones<Float32<"m">>(2), v) * 2.0f); });
  CHECK(to_string(g(x)) == "[2. 2. 2.]");
}

}  // namespace

}  // namespace join_gradient_test
