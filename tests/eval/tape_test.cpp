#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include <tenon/tenon.hpp>

namespace tape_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

using Held = Float64<"row=3 column=5">;

template <TensorType E>
E ordinary() {
  E x;
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.own_memory()[i] = static_cast<typename E::value_type>(double(i * 7 % 11) / 4 - 1.2);
  return x;
}

/// Compares the gradient through loops of constant length with the one through kernels.
template <class F>
void expect_gradient_of_kernels(F const& f) {
  auto const x = ordinary<Held>();
  Float64<"row column"> const y = x;
  CHECK(allclose(Float64<"row column">(grad(f)(x)), grad(f)(y)));
}

}  // namespace

TEST_CASE("an inline tensor has the gradient that kernels give") {
  expect_gradient_of_kernels([](auto const& x) { return sum(exp(x) * x - x / 3.0); });
  expect_gradient_of_kernels([](auto const& x) { return sum(max<"row">(x) * sum<"row">(x * x)); });
  expect_gradient_of_kernels([](auto const& x) { return sum(min<"column">(x * x)); });
  expect_gradient_of_kernels([](auto const& x) { return sum(prod<"column">(x)); });
  expect_gradient_of_kernels([](auto const& x) {
    return sum(square(x + slice<"row", 0, 1>(x)) * mean<"column">(x, keep));
  });
  expect_gradient_of_kernels([](auto const& x) {
    auto const part = rename<"row -> _, column -> _">(slice<"row", 1, 3>(slice<"column", 1, 3>(x)));
    return sum(part * part * transpose(part));
  });
  expect_gradient_of_kernels([](auto const& x) { return max(softmax<"column">(x)); });
  expect_gradient_of_kernels([](auto const& x) { return sum(square(window<"column", 2>(x))); });
}

TEST_CASE("a matrix and its transpose in one formula share their adjoint") {
  auto const x = ordinary<Float64<"4 4">>();
  auto const derivative = grad([&](auto const& m) { return sum((m + transpose(m)) * x); })(x);
  CHECK(allclose(derivative, eval(x + transpose(x))));
}

TEST_CASE("a long recording needs only heap memory") {
  Float32<"16"> const x = ordinary<Float32<"16">>();
  auto const power = [](auto const& leaf) {
    Float32<"16"> y = leaf;
    for (int i = 0; i < 300; ++i) y = y + leaf;
    return sum(y);
  };
  for (int i = 0; i < 2; ++i) CHECK(grad(power)(x)(3) == 301);
}

TEST_CASE("many recordings can await their pullbacks at the same time") {
  Float32<"2"> const x{1, 2};
  auto const f = [](auto const& v) { return v * v; };
  std::vector<decltype(vjp(f, x).second)> with_backward;
  for (int i = 0; i < 20; ++i) with_backward.push_back(vjp(f, x).second);
  for (auto& backward : with_backward) CHECK(backward(Float32<"2">{1, 10})(1) == 40);
}

TEST_CASE("nested recordings are distinct") {
  Float32<"2"> const x{1, 2};
  std::vector<std::unique_ptr<Tape>> tapes;
  for (int i = 0; i < 20; ++i) tapes.push_back(std::make_unique<Tape>());
  Float32<"2"> marked = x;
  marked.set_mark(tapes[3]->new_slot());
  CHECK_THROWS_AS(eval(marked * 2.0f), Error);
  while (!tapes.empty()) tapes.pop_back();
  CHECK(eval(marked * 2.0f)(1) == 4);
}

}  // namespace tape_test
