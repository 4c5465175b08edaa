#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

namespace second_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

using Vector = Float64<"n">;
using Matrix = Float64<"n m">;

struct Net {
  Float64<"in=3 hid=4"> w1;
  Float64<"hid=4"> b1;
  Float64<"hid=4 out=2"> w2;
};

Net net(std::uint64_t seed) { return tenon::init::normal<Net>(Key{seed}, 0.7); }

Float64<"batch in=3"> const images{{0.5, -1, 2}, {1, 0.3, -0.7}, {-0.2, 0.8, 0.1}};
Int32<"batch"> const labels{0, 1, 1};

auto net_loss(Net const& m) {
  auto const hidden = gelu(matmul(images, m.w1) + m.b1);
  return cross_entropy<"out">(matmul(hidden, m.w2), labels);
}

template <class Tree>
Tree moved_along(Tree const& at, Tree const& direction, double step) {
  return tenon::tree::map([&](auto const& a, auto const& d) { return eval(a + step * d); }, at,
                          direction);
}

template <class Tree>
void check_close(Tree const& got, Tree const& expected, double tolerance = 1e-6) {
  tenon::tree::zip(
      [&](auto const& a, auto const& b) {
        for (std::int64_t i = 0; i < a.size(); ++i) {
          CAPTURE(i);
          CHECK(a.data()[i] == doctest::Approx(b.data()[i]).epsilon(tolerance).scale(1));
        }
      },
      got, expected);
}

/// Central differences of the gradient along a direction.
template <class F, class Tree>
Tree difference_of_gradients(F const& f, Tree const& at, Tree const& direction) {
  double const h = 1e-5;
  Tree const up = grad(f)(moved_along(at, direction, h));
  Tree const down = grad(f)(moved_along(at, direction, -h));
  return tenon::tree::map([&](auto const& a, auto const& b) { return eval((a - b) * (0.5 / h)); },
                          up, down);
}

template <class F>
void check_second(F const& f, Matrix const& x) {
  Matrix const direction{{0.3, -1, 0.2}, {0.7, 0.4, -0.5}};
  check_close(hvp(f, x, direction), difference_of_gradients(f, x, direction));
}

Matrix const point{{0.4, 1.3, 0.8}, {-0.6, 0.9, 1.7}};

}  // namespace

TEST_CASE("the gradient of a gradient is the second derivative, and so on for higher orders") {
  auto const quartic = [](auto const& x) { return sum(x * x * x * x); };
  auto const first = [&](auto const& x) { return sum(grad(quartic)(x)); };
  auto const second = [&](auto const& x) { return sum(grad(first)(x)); };
  Vector const x{1, 2, 3};
  CHECK(grad(first)(x)(1) == doctest::Approx(12 * 4));
  CHECK(grad(second)(x)(2) == doctest::Approx(24 * 3));
}

TEST_CASE("jvp is the derivative along a tangent, for a tree and through a matmul") {
  Net const at = net(1), along = net(2);
  auto const [value, derivative] = jvp(net_loss, at, along);
  double const h = 1e-6;
  double const up = net_loss(moved_along(at, along, h)).item();
  double const down = net_loss(moved_along(at, along, -h)).item();
  CHECK(value.item() == doctest::Approx(net_loss(at).item()));
  CHECK(derivative.item() == doctest::Approx((up - down) / (2 * h)).epsilon(1e-7));
  CHECK(value.mark() == TapeMark{});
  CHECK(derivative.mark() == TapeMark{});
}

TEST_CASE("hvp is the derivative of the gradient, for a tree and through matmuls and a reduction") {
  Net const at = net(1), along = net(2);
  check_close(hvp(net_loss, at, along), difference_of_gradients(net_loss, at, along));
}

TEST_CASE("every kind of node has second derivatives") {
  check_second([](auto const& x) { return sum(log_softmax<"m">(x) * square(x)); }, point);
  check_second([](auto const& x) { return sum(square(sum<"n">(sin(x)))); }, point);
  check_second([](auto const& x) { return sum(exp(max<"m">(x, keep) * x)); }, point);
  check_second([](auto const& x) { return sum(square(prod<"m">(x))); }, point);
  check_second([](auto const& x) { return sum(tanh(matmul(x, transpose(x)))); }, point);
  check_second([](auto const& x) { return sum(cos(slice<"m", 1, 3>(x) * slice<"m", 0, 2>(x))); },
               point);
  check_second([](auto const& x) { return sum(where(x > 0.5, exp(x), x * x * x)); }, point);
}

TEST_CASE("concat, stack, slice and split have second derivatives") {
  Int32<"k"> const ids{2, 0, 2, 1};
  check_second([&](auto const& x) { return sum(exp(take<"m">(x, ids))); }, point);
  check_second([](auto const& x) { return sum(sin(concat<"m">(square(x), x))); }, point);
  check_second(
      [](auto const& x) {
        Matrix const y = square(x);
        return sum(exp(set<"m">(y, 1, max<"m">(x))));
      },
      point);
}

TEST_CASE("a custom backward and a checkpoint have second derivatives") {
  auto const square_of =
      custom_vjp([](Matrix const& x) { return x * x; },
                 [](auto const& dy, auto const&, auto const& x) { return 2 * x * dy; });
  check_second([&](auto const& x) { return sum(exp(square_of(sin(x)))); }, point);
  auto const kept = checkpoint([](auto const& x) { return exp(sin(x)); });
  check_second([&](auto const& x) { return sum(square(kept(x))); }, point);
  check_second(
      [](auto const& x) {
        auto [y, backward] = vjp([](auto const& v) { return sin(v) * v; }, x);
        return sum(backward(square(y)));
      },
      point);
}

TEST_CASE("an inner gradient is recorded together with its captures") {
  // d/da of the sum of d/dx sin(a x) at x = a^2, where both depend on a: a cos(a^3).
  auto const outer = [](auto const& a) {
    Float64<""> const x = square(a);
    auto const derivative = grad([&](auto const& v) { return sin(a * v); })(x);
    return derivative * 2.0;
  };
  double const a = 0.7;
  double const expected = 2 * (std::cos(a * a * a) - a * std::sin(a * a * a) * 3 * a * a);
  CHECK(grad(outer)(Float64<"">(a)).item() == doctest::Approx(expected));
}

TEST_CASE("the result of an inner gradient remains recorded in the outer recording") {
  auto const outer = [](auto const& x) {
    auto const [loss, derivative] = value_and_grad([](auto const& v) { return sum(exp(v)); })(x);
    return loss + sum(square(derivative));
  };
  Vector const x{0.1, 0.2};
  auto const gradient = grad(outer)(x);
  CHECK(gradient(1) == doctest::Approx(std::exp(0.2) + 2 * std::exp(0.4)));
}

TEST_CASE("an exception inside an inner gradient leaves no state behind") {
  Vector const x{1, 2};
  auto const fails = [](auto const& v) {
    return sum(grad([](auto const& w) {
      if (stop_gradient(w)(0) == 1) throw std::runtime_error("as planned");
      return sum(w * w);
    })(v));
  };
  CHECK_THROWS_WITH(grad(fails)(x), "as planned");
  CHECK(recording == 0);
  CHECK(recording_around == 0);
  CHECK(grad([](auto const& v) { return sum(v * v); })(x)(1) == 4);
}

TEST_CASE("a view of borrowed memory is a constant in a gradient of a gradient") {
  std::array<double, 2> memory{3, 5};
  auto const borrowed = view<Vector>(memory.data(), 2);
  auto const cube = [&](auto const& x) { return sum(borrowed * x * x * x); };
  auto const derivative = [&](auto const& x) { return sum(grad(cube)(x)); };
  CHECK(grad(derivative)(Vector{1, 2})(1) == doctest::Approx(5 * 6 * 2));
}

TEST_CASE("second derivatives of batched matrix operations") {
  Float64<"r=3 c=3"> const square_matrix{{2, 1, 0.5}, {-0.3, 3, 0.2}, {0.1, -1, 2}};
  auto const f = [](auto const& a) { return sum(square(tenon::linalg::inverse(a))); };
  Float64<"r=3 c=3"> const direction = square_matrix * 0.5 + 1.0;
  check_close(hvp(f, square_matrix, direction),
              difference_of_gradients(f, square_matrix, direction), 1e-5);
}

}  // namespace second_test
