// Examples of docs/functions/: gradients.

#include <doctest/doctest.h>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/autodiff/scan.hpp>
#include <tenon/tenon.hpp>
#include <tenon/transformations.hpp>

namespace functions_gradients_test {

using namespace tenon;

Float64<"n=3"> const x{1, 2, 3};
Float64<"n=3"> const direction{1, 0, 0};

TEST_CASE("gradients") {
  auto const cubes = [](auto const& v) { return sum(v * v * v); };
  CHECK(to_string(grad(cubes)(x)) == "[ 3. 12. 27.]");

  auto const cubes_too = [](auto const& v) { return sum(v * v * v); };
  auto const [value, gradient] = value_and_grad(cubes_too)(x);
  CHECK(value.item() == 36);
  CHECK(gradient(2) == 27);
}

TEST_CASE("vjp, jvp, hvp") {
  auto [y, backward] = vjp([](Float64<"n=3"> const& v) { return eval(v * v); }, x);
  CHECK(to_string(backward(direction)) == "[2. 0. 0.]");

  auto const squares = [](auto const& v) { return eval(v * v); };
  auto const [squared, tangent] = jvp(squares, x, direction);
  CHECK(to_string(tangent) == "[2. 0. 0.]");

  auto const cubes = [](auto const& v) { return sum(v * v * v); };
  CHECK(to_string(hvp(cubes, x, direction)) == "[6. 0. 0.]");
}

TEST_CASE("Jacobians and Hessians") {
  auto const squares = [](auto const& v) { return eval(v * v); };
  auto const j = jacrev<"k">(squares)(x);  // "n=3 k=3"
  CHECK(to_string(j) == "[[2. 0. 0.]\n [0. 4. 0.]\n [0. 0. 6.]]");

  auto const j_forward = jacfwd(squares)(x);  // "n=3 n=3"
  CHECK(j_forward(2, 2) == 6);

  auto const j_too = jacobian(squares)(x);
  CHECK(j_too(1, 1) == 4);

  auto const cubes = [](auto const& v) { return sum(v * v * v); };
  auto const h = hessian(cubes)(x);
  CHECK(h(2, 2) == 18);

  auto const [y, push] = linearize(squares, x);
  CHECK(to_string(push(direction)) == "[2. 0. 0.]");
}

TEST_CASE("functions of samples, of solutions") {
  Float64<"sample=2 n=3"> const samples{{1, 2, 3}, {4, 5, 6}};
  auto const loss = [](Float64<"n=3"> const& w, Float64<"n=3"> const& v) { return sum(w * v); };
  auto const each = vmap<"sample">(grad(loss))(x, samples);  // "sample=2 n=3"
  CHECK(each(1, 2) == 6);

  auto const steep =
      custom_jvp([](Float64<"n=3"> const& v) { return v * v; },
                 [](auto const& dv, auto const&, auto const& v) { return eval(10 * v * dv); });
  CHECK(to_string(jvp(steep, x, direction).second) == "[10.  0.  0.]");

  auto const residual = [](Float64<""> const& v, Float64<""> const& a) { return v * v - a; };
  auto const square_root = root(residual, Float64<"">(1), Float64<"">(2));
  CHECK(square_root.item() == doctest::Approx(1.41421356));

  auto const cosine = [](Float64<""> const& v) { return cos(v); };
  auto const fixed = fixed_point(IterationOptions{.tolerance = 1e-9}, cosine, Float64<"">(1));
  CHECK(fixed.item() == doctest::Approx(0.73908513));
}

TEST_CASE("functions with another backward") {
  auto const clipped = custom_vjp(
      [](auto const& v) { return eval(v * v); },
      [](auto const& dy, auto const&, auto const& v) { return eval(dy * clamp(2 * v, -3, 3)); });
  auto const loss = [&](auto const& v) { return sum(clipped(v)); };
  CHECK(to_string(grad(loss)(x)) == "[2. 3. 3.]");

  auto const half = [](auto const& v) { return sum(v * stop_gradient(v)); };
  CHECK(to_string(grad(half)(x)) == "[1. 2. 3.]");

  auto const again = checkpoint([](auto const& v) { return eval(exp(v) * v); });
  auto const total = [&](auto const& v) { return sum(again(v)); };
  CHECK(grad(total)(x)(0) == doctest::Approx(2 * 2.718281828));
}

TEST_CASE("functions of sequences") {
  auto const add = [](Float64<""> const& sum, auto const& v) {
    Float64<""> const next = sum + v;
    return std::pair(next, next);
  };
  auto const [last, sums] = scan<"n">(add, Float64<"">(0), x);
  CHECK(to_string(sums) == "[1. 3. 6.]");
}

}  // namespace functions_gradients_test
