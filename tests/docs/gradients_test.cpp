// The code that docs/gradients.md shows, and the messages and conventions that it states.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>

namespace docs_gradients {
namespace {

using namespace tenon;

using Vector = Float64<"n">;

struct Layer {
  Float64<"in=2 out=2"> weight;
  std::optional<Float64<"out=2">> bias;
};

struct Model {
  std::vector<Layer> layers;
  Frozen<Float64<"out=2">> offset;  // not learned; saved
  Constant<double*> scratch;        // neither learned nor saved
  Int32<"2"> counts;                // no gradient: not floating
  double scale = 1;                 // no gradient: a number
};

/// The sum of all outputs of a model for the input (1, 1).
Float64<""> total(Model const& m) {
  Float64<"in=2"> const x{1, 1};
  Float64<""> result = 0.0;
  for (auto const& layer : m.layers) {
    Float64<"out=2"> const y = m.scale * matmul(x, layer.weight) + *m.offset;
    result += sum(y);
    if (layer.bias) result += sum(*layer.bias);
  }
  return result;
}

Model model() {
  Layer const first{{{1, 2}, {3, 4}}, Float64<"out=2">{5, 6}}, second{{{1, 0}, {0, 1}}, {}};
  return {{first, second}, Float64<"out=2">{10, 20}, nullptr, {7, 8}, 3};
}

TEST_CASE("value_and_grad and grad differentiate with respect to the first argument") {
  auto const energy = [](Vector const& x, double stiffness) {
    return stiffness / 2 * sum(square(x));
  };
  Vector const x{1, 2, 3};
  auto const [value, gradient] = value_and_grad(energy)(x, 4.0);
  auto const alone = grad(energy)(x, 4.0);
  CHECK(value.item() == 28);
  CHECK(gradient(2) == 12);
  CHECK(alone(2) == 12);
  auto const with_squares = [](Vector const& x) { return std::pair(sum(square(x)), square(x)); };
  auto const [loss, slope, squares] = value_and_grad(with_squares)(x);
  CHECK(loss.item() == 14);
  CHECK(slope(1) == 4);
  CHECK(squares(2) == 9);
}

TEST_CASE("the gradient of a struct is that struct") {
  auto const gradient = grad(total)(model());
  CHECK(gradient.layers[0].weight(1, 0) == 3);  // the scale
  CHECK((*gradient.layers[0].bias)(1) == 1);
  CHECK_FALSE(gradient.layers[1].bias.has_value());  // as in the model
  CHECK((*gradient.offset)(1) == 20);                // the value itself, not a gradient
  CHECK(gradient.counts(1) == 8);                    // the same
  CHECK(gradient.scale == 3);
}

TEST_CASE("optimizers leave alone what has no gradient") {
  auto const before = model();
  SGD const sgd{.rate = 0.1};
  auto const [after, state] = sgd.step(before, grad(total)(before), sgd.init(before));
  CHECK((*after.offset)(1) == 20);
  CHECK(after.counts(1) == 8);
  CHECK(after.layers[0].weight(1, 0) == doctest::Approx(3 - 0.1 * 3));
}

TEST_CASE("what a function captures is constant, and so is what stands under stop_gradient") {
  Vector const x{1, 2, 3};
  auto const captured = grad([&](Vector const& v) { return sum(v * x); })(x);
  auto const stopped = grad([](Vector const& v) { return sum(v * stop_gradient(v)); })(x);
  CHECK(captured(2) == 3);
  CHECK(stopped(2) == 3);
}

TEST_CASE("vjp maps an adjoint of the result to one of the argument") {
  Vector const x{1, 2, 3};
  auto [y, backward] = vjp([](Vector const& v) { return eval(v * v); }, x);
  auto const adjoint = backward(Vector{1, 10, 100});  // 2 x times the adjoint of y
  CHECK(y(2) == 9);
  CHECK(adjoint(2) == 600);
  CHECK_THROWS_WITH_AS(backward(y), "tenon::vjp: the pullback was called before", Error);
}

TEST_CASE("jvp, hvp and the gradient of a gradient") {
  Vector const x{1, 2, 3}, direction{1, 0, 0};
  auto const cubes = [](Vector const& v) { return sum(v * v * v); };
  auto const [y, dy] = jvp(cubes, x, direction);
  CHECK(y.item() == 36);
  CHECK(dy.item() == 3);  // 3 x^2 along the direction
  auto const product = hvp(cubes, x, direction);
  CHECK(product(0) == 6);  // 6 x times the direction
  CHECK(product(1) == 0);
  auto const second = grad([&](Vector const& v) { return sum(grad(cubes)(v)); })(x);
  CHECK(second(2) == 18);  // 6 x
}

TEST_CASE("custom_vjp takes the backward that is given to it") {
  auto const clipped =
      custom_vjp([](Vector const& x) { return 2 * x; },                      // y
                 [](auto const& dy, auto const& /*y*/, auto const& /*x*/) {  // the adjoint of x
                   return clamp(2 * dy, -1, 1);
                 });
  Vector const x{1, 2, 3};
  CHECK(clipped(x)(2) == 6);
  CHECK(grad([&](Vector const& v) { return sum(clipped(v)); })(x)(2) == 1);
}

TEST_CASE("custom_vjp of two arguments gives a tuple") {
  auto const product = custom_vjp([](Vector const& a, Vector const& b) { return a * b; },
                                  [](auto const& dy, auto const&, auto const& a, auto const& b) {
                                    return std::tuple(b * dy, a * dy);
                                  });
  Vector const x{1, 2, 3};
  CHECK(grad([&](Vector const& v) { return sum(product(v, v)); })(x)(2) == 6);
}

/// Three steps of a recurrence, each a tensor.
Vector three_steps(Vector x, Vector const& weight) {
  for (int i = 0; i < 3; ++i) x = tanh(weight * x);
  return x;
}

/// The bytes that a recording keeps of what `f` computes.
template <class F>
std::int64_t bytes_kept(F const& f, Vector const& at) {
  std::int64_t kept = 0;
  grad([&](Vector const& v) {
    auto const before = memory::bytes_in_use();
    Vector const y = f(v);
    kept = memory::bytes_in_use() - before;
    return sum(y);
  })(at);
  return kept;
}

TEST_CASE("checkpoint gives the same gradient, bit for bit, and keeps less") {
  Vector const x = ones<Vector>(1000), weight = full<Vector>(0.5, 1000);
  auto const plain = [&](Vector const& w) { return three_steps(x, w); };
  auto const again = [&](Vector const& w) { return checkpoint(three_steps)(x, w); };
  auto const loss = [](auto const& f) { return [&f](Vector const& w) { return sum(f(w)); }; };
  CHECK(eval(all(grad(loss(plain))(weight) == grad(loss(again))(weight))).item());
  CHECK(bytes_kept(plain, weight) == 3 * bytes_kept(again, weight));
}

struct Recurrent {
  Float64<"input=2 hidden=3"> of_input;
  Float64<"hidden=3 next=3"> of_hidden;
};
using Hidden = Float64<"batch hidden=3">;

Hidden recurrent_step(Hidden const& h, Float64<"batch input=2"> const& x, Recurrent const& cell) {
  return tanh(matmul(x, cell.of_input) + rename<"next -> hidden">(matmul(h, cell.of_hidden)));
}

TEST_CASE("a scan runs a step along an axis") {
  auto const inputs = normal<Float64<"batch time input=2">>(Key(1), 4, 10);
  auto const cell = init::normal<Recurrent>(Key(2), 0.5);
  auto const step = [](Hidden const& h, auto const& x, Recurrent const& c) {
    Hidden const next = recurrent_step(h, x, c);
    return std::pair(next, next);  // the next carry, and an output
  };
  auto const loss = [&](Recurrent const& c) {
    auto const [last, all] = scan<"time">(step, zeros<Hidden>(4), inputs, c);
    static_assert(shape_of<decltype(all)> == "time batch hidden=3");
    return mean(square(all));
  };
  CHECK(all(grad(loss)(cell).of_hidden != 0.0).item());

  auto const decay = [](Hidden const& h, int i) { return h * (1.0 - 0.1 * i); };
  auto const decayed = scan<"step">(decay, ones<Hidden>(4), 3);
  CHECK(decayed(0, 0) == doctest::Approx(0.9 * 0.8));
}

TEST_CASE("values are kept, what lies between them in a kernel is computed again") {
  Vector const x = ones<Vector>(1000);
  auto const one_kernel = [](Vector const& v) -> Vector { return exp(v * v + 1); };
  auto const three_values = [](Vector const& v) -> Vector {
    Vector const square_of_v = v * v, plus_one = square_of_v + 1;
    return exp(plus_one);
  };
  CHECK(bytes_kept(three_values, x) == 3 * bytes_kept(one_kernel, x));
}

TEST_CASE("what a recorded tensor refuses at run time") {
  Vector const x{1, 2, 3};
  auto const message_of = [&](auto const& f) -> std::string {
    try {
      grad(f)(x);
    } catch (Error const& error) {
      return error.what();
    }
    return "nothing";
  };
  CHECK(message_of([](Vector const& v) { return v(0) * sum(v); }) ==
        "tenon::Tensor: a recorded value is read as a number, which has no gradient: x[i] is a "
        "tensor and has one; stop_gradient(x)(i), stop_gradient(x).item() are numbers");
  CHECK(message_of([](Vector const& v) { return v[0] * sum(v); }) == "nothing");
  CHECK(message_of([](Vector v) { return v.set_elements([](double*) {}), sum(v); }) ==
        "tenon::Tensor: a recorded tensor cannot be written: set<axis>(x, i, v) makes another");
  CHECK(
      message_of([](Vector const& v) { return sum(view(v)); }) ==
      "tenon::view: expected a constant, got a recorded tensor, whose gradient a view would lose");
  CHECK(message_of([](Vector const& v) {
          return sum(checkpoint([&](Vector const& u) { return u * v; })(v));
        }) ==
        "tenon::value_and_grad: a recorded tensor is used outside of its recording: captured by a "
        "custom_vjp or a checkpoint: pass it as an argument");
}

TEST_CASE("a recording is that of one thread") {
  std::string message;
  grad([&](Vector const& v) {
    std::thread([&] {
      try {
        Vector const y = 2 * v;
      } catch (Error const& error) {
        message = error.what();
      }
    }).join();
    return sum(v);
  })(Vector{1, 2});
  CHECK(message ==
        "tenon::value_and_grad: a recorded tensor is used outside of its recording: in another "
        "thread");
}

}  // namespace
}  // namespace docs_gradients
