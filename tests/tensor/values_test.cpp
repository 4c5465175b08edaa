// Tensors are values: a write does not change a copy, and access to a moved-from tensor throws.
#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

namespace values_test {

using namespace tenon;

namespace {

template <class E>
E threes() {
  if constexpr (E::shape.is_static()) return full<E>(3.0f);
  else return full<E>(3.0f, 200);
}

template <class X>
X copy_of(X const& x) {
  return x;
}

struct Layer {
  Float32<"n"> weight;
};

}  // namespace

TEST_CASE_TEMPLATE("a pointer that is asked for anew changes its tensor and no copy", E,
                   Float32<"n">, Float32<"200">, Float32<"4">, Float32<"n", Reference>) {
  E x = threes<E>();
  x.mutable_data()[1] = 7;
  E const y = x;
  E z;
  z = y, z = x;
  auto const open = x + 1.0f;
  x.mutable_data()[0] = 1;
  CHECK(x(0) == 1);
  CHECK(y(0) == 3);
  CHECK(z(1) == 7);
  CHECK(open(0) == 4);
  E const later = x;
  x.mutable_data()[0] = 2;
  CHECK(later(0) == 1);
  x(0) = 5;
  CHECK(x.mutable_data()[0] == 5);
}

TEST_CASE("a tensor with other axis names is a copy like any other") {
  auto x = threes<Float32<"n">>();
  Float32<"_"> const y = x;
  Layer const layer{x};
  std::tuple const both(x, 1);
  x.mutable_data()[0] = 1;
  CHECK(y(0) == 3);
  CHECK(layer.weight(0) == 3);
  CHECK(std::get<0>(both)(0) == 3);
}

TEST_CASE("a tensor that was filled through a pointer is shared as any other") {
  auto a = threes<Float32<"n">>(), b = a, c = a, result = a;
  for (auto* const x : {&a, &b, &c}) std::fill_n(x->mutable_data(), x->size(), 2.0f);
  CHECK(copy_of(a).data() == std::as_const(a).data());
  (void)mutable_view(a);
  (void)std::as_const(b).data();
  for (int i = 0; i < 3; ++i) {
    auto const before = memory::allocations();
    result = relu(a * b + c);
    CHECK(memory::allocations() == before);
  }
  float const* const place = std::as_const(a).data();
  CHECK(a.mutable_data() == place);
  CHECK(result(0) == 6);
  auto const gradient = grad([&](Float32<"n"> const& x) { return sum(x * b * c); })(a);
  CHECK(gradient(0) == 4);
  CHECK(b.mutable_data() == std::as_const(b).data());
}

TEST_CASE("a pointer remains valid for the tensor that was moved to") {
  auto x = threes<Float32<"n">>();
  float* const p = x.mutable_data();
  auto const y = std::move(x);
  p[0] = 1;
  CHECK(y(0) == 1);
}

TEST_CASE_TEMPLATE("writing through a view changes its tensor and no copy", E, Float32<"n">,
                   Float32<"200">, Float32<"4">, Float32<"n", Reference>) {
  E x = threes<E>();
  E const before = x;
  {
    auto const view = mutable_view(x);
    auto const other = view;
    E const y = x;
    auto const open = x + 1.0f;
    assign(view, 1);
    CHECK(y(0) == 3);
    CHECK(open(0) == 4);
    CHECK(x(0) == 1);
    x(1) = 2;
    CHECK(view(1) == 2);
    E const z = x;
    assign(other, x + 1.0f);
    CHECK(x(1) == 3);
    CHECK(z(1) == 2);
  }
  CHECK(before(0) == 3);
  if constexpr (!E::holds_elements) {
    E const shared = x;
    CHECK(shared.data() == x.data());
  }
}

TEST_CASE("a mutable view keeps the memory of its tensor alive") {
  auto x = threes<Float32<"n">>();
  auto const view = mutable_view(x);
  x = x + 1.0f;
  auto const others = threes<Float32<"n">>();
  assign(view, 1);
  CHECK(x(0) == 4);
  CHECK(others(0) == 3);
  CHECK(view(0) == 1);
}

TEST_CASE("a moved-from tensor with run-time sizes is empty") {
  Float32<"n m"> x{{1, 2}, {3, 4}};
  auto const y = std::move(x);
  CHECK(y(1, 1) == 4);
  CHECK(x.size() == 0);
  CHECK(to_string(x) == "[]");
  CHECK(to_string(x + 1.0f) == "[]");
  CHECK(sum(x).item() == 0);
  CHECK_THROWS_AS(eval(x + y), ShapeError);
  CHECK_THROWS_AS(x(0, 0), IndexError);
  x = y;
  CHECK(x(0, 1) == 2);
  auto& same = x;
  x = std::move(same);
  CHECK(x(0, 1) == 2);
  std::vector<Float32<"batch 3">> all(1, full<Float32<"batch 3">>(1.0f, 2));
  auto const first = std::move(all[0]);
  CHECK(all[0].sizes()[0] == 0);
  CHECK(all[0].sizes()[1] == 3);
}

TEST_CASE("access to a moved-from tensor of static size throws") {
  auto x = threes<Float32<"200">>();
  auto const y = std::move(x);
  char const* const words =
      "tenon::Tensor: a tensor that was moved from has no elements: assign to it first";
  CHECK_THROWS_WITH_AS(x(0), words, Error);
  CHECK_THROWS_WITH_AS(std::as_const(x)(0), words, Error);
  CHECK_THROWS_WITH_AS(to_string(x), words, Error);
  CHECK_THROWS_WITH_AS(eval(x + y), words, Error);
  CHECK_THROWS_WITH_AS(eval(matmul(x, y)), words, Error);
  CHECK_THROWS_WITH_AS(eval(sum(x)), words, Error);
  CHECK_THROWS_WITH_AS(x.mutable_data(), words, Error);
  CHECK_THROWS_WITH_AS(view(x), words, Error);
  auto copy = x;
  CHECK_THROWS_WITH_AS(copy.data(), words, Error);
  x = y;
  CHECK(x.data() == y.data());
  CHECK(x(0) == 3);
  auto const z = std::move(x);
  x.set_elements([](float* to) { std::fill_n(to, 200, 4.0f); });
  CHECK(x(199) == 4);
  CHECK(z(199) == 3);
}

TEST_CASE("a moved-from tensor in a recording has no part in it") {
  auto const f = [](Float32<"n"> const& v) {
    Float32<"n"> a = v * 2.0f;
    Float32<"n"> const b = std::move(a);
    return sum(a) + sum(b * b);
  };
  CHECK(to_string(grad(f)(Float32<"n">{1, 2})) == "[ 8. 16.]");
}

}  // namespace values_test
