#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <tenon/tenon.hpp>

namespace grad_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Layer {
  Float64<"in=2 out=2"> weight;
  std::optional<Float64<"out=2">> bias;
  Int32<"2"> counts;
  double scale = 2;
};

struct Model {
  std::vector<Layer> layers;
  Frozen<Float64<"out=2">> fixed;
};

Model model() {
  Layer const first{{{1, 2}, {3, 4}}, Float64<"out=2">{5, 6}, {7, 8}, 2};
  Layer const second{{{1, 0}, {0, 1}}, std::nullopt, {0, 0}, 3};
  return {{first, second}, {{10, 20}}};
}

auto loss_of(Model const& m) {
  Float64<"n in=2"> x{{1, -1}, {2, 0.5}};
  Float64<""> total{0.0};
  for (Layer const& layer : m.layers) {
    Float64<"n out=2"> const y = matmul(x, layer.weight) * layer.scale + *m.fixed;
    if (layer.bias) total = total + sum(y + *layer.bias);
    else total = total + sum(square(y));
  }
  return total;
}

}  // namespace

TEST_CASE("the gradient of a tree is a tree of the same type") {
  auto const [loss, gradient] = value_and_grad(loss_of)(model());
  CHECK(gradient.layers.size() == 2);
  // d/dw of sum(x w 2) is twice the sum of x.
  CHECK(gradient.layers[0].weight(0, 0) == doctest::Approx(2 * 3));
  CHECK(gradient.layers[0].weight(1, 1) == doctest::Approx(2 * -0.5));
  CHECK((*gradient.layers[0].bias)(0) == doctest::Approx(2));
  CHECK_FALSE(gradient.layers[1].bias.has_value());
  CHECK(gradient.layers[0].counts(1) == 8);  // integers pass through
  CHECK(gradient.layers[1].scale == 3);      // and numbers
  CHECK((*gradient.fixed)(1) == 20);         // and frozen tensors
  CHECK(loss.item() == doctest::Approx(loss_of(model()).item()));
}

TEST_CASE("an auxiliary result follows the loss and the gradient") {
  Float64<"n"> const x{1, 2, 3};
  auto const f = [](Float64<"n"> const& v) { return std::pair(sum(square(v)), v * 10.0); };
  auto const [loss, gradient, tens] = value_and_grad(f)(x);
  CHECK(loss.item() == 14);
  CHECK(to_string(gradient) == "[2. 4. 6.]");
  CHECK(to_string(tens) == "[10. 20. 30.]");
  CHECK(tens.mark() == TapeMark());
  auto const g = [](Float64<"n"> const& v) {
    return std::pair(sum(v), std::tuple(eval(v + 1), eval(v + 2)));
  };
  auto const [total, ones, both] = value_and_grad(g)(x);  // a tuple is one result
  CHECK(total.item() == 6);
  CHECK(ones(2) == 1);
  CHECK(std::get<1>(both)(0) == 3);
  auto const [alone, layers] =
      grad([](Model const& m) { return std::pair(loss_of(m), m); })(model());
  CHECK(alone.layers[1].scale == 3);
  CHECK(layers.layers[0].weight(1, 1) == 4);
}

TEST_CASE("an argument that the result does not depend on has a gradient of zeros") {
  Float32<"n"> const x{1, 2, 3};
  auto const gradient = grad([](auto const& v) { return sum(stop_gradient(v)); })(x);
  CHECK(gradient(0) == 0);
  CHECK(gradient(2) == 0);
}

TEST_CASE("a captured tensor is a constant, even if it is also the argument") {
  Float32<"n"> const x{1, 2, 3};
  auto const gradient = grad([&](auto const& v) { return sum(v * x); })(x);
  CHECK(gradient(2) == 3);
}

TEST_CASE("vjp applies its pullback to any adjoint, once") {
  Float64<"n"> const x{1, 2, 3};
  auto const [y, backward] = vjp([](auto const& v) { return v * v; }, x);
  CHECK(y(2) == 9);
  auto const adjoint = backward(Float64<"n">{1, 10, 100});
  CHECK(adjoint(0) == 2);
  CHECK(adjoint(1) == 40);
  CHECK(adjoint(2) == 600);
  CHECK_THROWS_AS(backward(y), Error);
}

TEST_CASE("an adjoint of other sizes than the value is refused with both shapes") {
  auto [y, backward] = vjp([](auto const& v) { return v * v; }, Float64<"n">{1, 2, 3});
  CHECK(y(2) == 9);
  CHECK_THROWS_WITH_AS(backward(Float64<"n">{1, 10}),
                       "tenon::vjp: adjoint: expected float64 \"n=3\", got float64 \"n=2\"",
                       ShapeError);
}

TEST_CASE("several pullbacks, of functions of trees, can be called in any order") {
  using Vector = Float64<"n">;
  struct Out {
    std::optional<Vector> square;
    std::optional<Float64<"">> sum;
  };
  auto const squared = checkpoint([](Vector const& v) { return Vector(v * v); });
  auto const f = [&](Vector const& v) { return Out{squared(v), eval(sum(v))}; };
  auto [y0, pull0] = vjp(f, Vector{1, 2});
  auto [y1, pull1] = vjp(f, Vector{3, 4});
  auto [y2, pull2] = vjp(f, Vector{5, 6});
  CHECK((*y1.square)(0) == 9);
  CHECK(y2.sum->item() == 11);
  Out const adjoint{Vector{1, 10}, Float64<"">(100)};
  CHECK(pull1(adjoint)(1) == 100 + 80);
  CHECK(pull0(adjoint)(1) == 100 + 40);
  CHECK(pull2(adjoint)(0) == 100 + 10);
  CHECK(Tape::current() == nullptr);
}

TEST_CASE("an exception in the function ends its recording") {
  Float32<"n"> const x{1, 2};
  auto const fails = [](auto const& v) {
    Float32<"n"> const y = v * 2.0f;
    if (stop_gradient(y)(0) == 2) throw std::runtime_error("as planned");
    return sum(y);
  };
  CHECK_THROWS_WITH(grad(fails)(x), "as planned");
  CHECK(Tape::current() == nullptr);
  CHECK(grad([](auto const& v) { return sum(v * v); })(x)(1) == 4);
}

TEST_CASE("the mark of a recording that has ended is ignored") {
  Float32<"n"> leaked;
  Float32<"n"> const x{1, 2};
  auto const keep_it = [&](auto const& v) {
    leaked = v * 3.0f;
    return sum(leaked);
  };
  CHECK(grad(keep_it)(x)(0) == 3);
  Float32<"n"> const y = leaked * 2.0f;
  CHECK(y(1) == 12);
  CHECK(grad([&](auto const& v) { return sum(v * leaked); })(x)(1) == 6);
}

TEST_CASE("a recording is local to its thread") {
  Float32<"n"> const x{1, 2};
  CHECK_THROWS_AS(grad([](auto const& v) {
                    std::optional<std::string> message;
                    std::thread([&] {
                      try {
                        Float32<"n"> const lost = v * 2.0f;
                      } catch (Error const& error) {
                        message = error.what();
                      }
                    }).join();
                    if (message) throw Error(*message);
                    return sum(v);
                  })(x),
                  Error);
}

TEST_CASE("a recorded tensor cannot be written") {
  Float32<"n"> const x{1, 2};
  CHECK_THROWS_AS(grad([](auto const& v) {
                    auto copy = v;
                    copy(0) = 3;
                    return sum(copy);
                  })(x),
                  Error);
}

}  // namespace grad_test
