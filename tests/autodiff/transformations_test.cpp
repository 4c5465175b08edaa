// Transformations of functions against derivatives known in closed form.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/transformations.hpp>

namespace transformations_test {

using namespace tenon;

namespace {

Float64<"n=3"> const x{1, 2, 3};
Float64<"m=2 n=3"> const w{{1, 2, 3}, {4, 5, 6}};

auto const linear = [](Float64<"n=3"> const& v) { return eval(matmul(w, v * v)); };  // "m=2"
auto const cubes = [](auto const& v) { return sum(v * v * v); };

}  // namespace

TEST_CASE("a Jacobian has the axes of the value, then those of the argument") {
  auto const reverse = jacrev(linear)(x);
  CHECK(shape_of<decltype(reverse)> == "m=2 n=3");
  CHECK(to_string(reverse) == "[[ 2.  8. 18.]\n [ 8. 20. 36.]]");
  CHECK(to_string(jacfwd(linear)(x)) == to_string(reverse));
  CHECK(shape_of<decltype(jacobian<"k">(linear)(x))> == "m=2 k=3");
  auto const matrix = [](Float64<"m=2 n=3"> const& a) { return eval(matmul(a, x)); };
  CHECK(shape_of<decltype(jacrev<"row column">(matrix)(w))> == "m=2 row=2 column=3");
  CHECK(jacrev(matrix)(w)(1, 1, 2) == 3);
  CHECK(jacfwd(matrix)(w)(1, 0, 2) == 0);
}

TEST_CASE("a Jacobian of run-time sizes") {
  Float64<"t"> const y{1, 2, 3};
  auto const same = [](auto const& v) { return sin(v); };
  CHECK(shape_of<decltype(jacrev(same)(y))> == "t t");
  CHECK(jacrev(same)(y)(1, 1) == doctest::Approx(std::cos(2.0)));
  CHECK(jacfwd(same)(y)(1, 0) == 0);
  auto const shorter = [](auto const& v) { return slice<"t", 1, to_end>(v); };
  CHECK(shape_of<decltype(jacrev(shorter)(y))> == "t=_ t");
  auto const head = [](auto const& v) { return slice<"t", 0, 2>(v); };
  CHECK(shape_of<decltype(jacfwd(head)(y))> == "t=2 t=_");
  CHECK(to_string(jacfwd(head)(y)) == "[[1. 0. 0.]\n [0. 1. 0.]]");
  CHECK(jacrev(same)(zeros<Float64<"t">>(0)).size() == 0);
  CHECK(jacfwd(same)(zeros<Float64<"t">>(0)).size() == 0);
}

TEST_CASE("the Hessian of a scalar function has its axes twice") {
  CHECK(to_string(hessian(cubes)(x)) == "[[ 6.  0.  0.]\n [ 0. 12.  0.]\n [ 0.  0. 18.]]");
  CHECK(shape_of<decltype(hessian<"k">(cubes)(x))> == "n=3 k=3");
  auto const product = [](auto const& v) { return exp(sum(v)) * 0.5; };
  CHECK(hessian(product)(x)(0, 2) == doctest::Approx(std::exp(6.0) / 2));
}

TEST_CASE("Jacobians inside a gradient have gradients") {
  auto const trace = [](auto const& v) { return sum(jacrev(linear)(v)); };
  CHECK(to_string(grad(trace)(x)) == "[10. 14. 18.]");
  auto const forward = [](auto const& v) { return sum(jacfwd(linear)(v)); };
  CHECK(to_string(grad(forward)(x)) == "[10. 14. 18.]");
  auto const curvature = [](auto const& v) { return sum(hessian(cubes)(v)); };
  CHECK(to_string(grad(curvature)(x)) == "[6. 6. 6.]");
}

TEST_CASE("a linearized function is called for any number of tangents") {
  auto const [y, push] = linearize(linear, x);
  CHECK(to_string(y) == "[36. 78.]");
  CHECK(to_string(push(Float64<"n=3">{1, 0, 0})) == "[2. 8.]");
  CHECK(to_string(push(Float64<"n=3">{0, 0, 1})) == "[18. 36.]");
  auto const along = [&](auto const& v) {
    return sum(linearize(linear, v).second(Float64<"n=3">{1, 0, 0}));
  };
  CHECK(to_string(grad(along)(x)) == "[10.  0.  0.]");
}

TEST_CASE("vmap maps the arguments that have the axis, and stacks the values along it") {
  auto const dot_with = [](Float64<"m=2"> const& a, Float64<"m=2"> const& b) { return sum(a * b); };
  Float64<"m=2"> const b{1, 10};
  auto const dots = vmap<"n">(dot_with)(w, b);
  CHECK(shape_of<decltype(dots)> == "n=3");
  CHECK(to_string(dots) == "[41. 52. 63.]");
  auto const both = vmap<"n">([](Float64<"m=2"> const& a, Float64<""> const& s) {
    return std::tuple(Float64<"m=2">(a * s), Float64<"">(s + 1.0));
  })(w, x);
  CHECK(to_string(std::get<0>(both)) == "[[ 1.  4.]\n [ 4. 10.]\n [ 9. 18.]]");
  CHECK(to_string(std::get<1>(both)) == "[2. 3. 4.]");
  auto const g = grad([&](auto const& at) { return sum(vmap<"n">(dot_with)(w, at)); })(b);
  CHECK(to_string(g) == "[ 6. 15.]");
}

struct Line {
  Float64<"m=2"> slope;
  Float64<""> offset;
};

TEST_CASE("gradients of each sample are stacked, those of a struct a vector") {
  auto const loss = [](Float64<"m=2"> const& a, Float64<"m=2"> const& v) {
    return square(sum(a * v));
  };
  auto const each = vmap<"n">(grad(loss))(Float64<"m=2">{1, 1}, w);
  CHECK(to_string(each) == "[[ 10.  40.]\n [ 28.  70.]\n [ 54. 108.]]");
  auto const of_line = [](Line const& line, Float64<"m=2"> const& v) {
    return square(sum(line.slope * v) + line.offset);
  };
  auto const lines = vmap<"n">(grad(of_line))(Line{{1, 1}, Float64<"">(0)}, w);
  CHECK(lines.size() == 3);
  CHECK(lines[2].offset.item() == 18);
  CHECK(to_string(lines[1].slope) == "[28. 70.]");
}

TEST_CASE("gradients by several trees are those by a tuple of them") {
  auto const loss = [](auto const& both) {
    return sum(std::get<0>(both) * square(std::get<1>(both)));
  };
  auto const [value, g] = value_and_grad(loss)(std::tuple(x, Float64<"n=3">{1, 1, 2}));
  CHECK(value.item() == 15);
  CHECK(to_string(std::get<0>(g)) == "[1. 1. 4.]");
  CHECK(to_string(std::get<1>(g)) == "[ 2.  4. 12.]");
}

TEST_CASE("a custom tangent gives jvp, and its transpose the gradient") {
  auto const steep =
      custom_jvp([](Float64<"n=3"> const& v) { return square(v); },
                 [](auto const& dv, auto const&, auto const& v) { return eval(20 * v * dv); });
  auto const total = [&](auto const& v) { return sum(steep(v)); };
  CHECK(to_string(grad(total)(x)) == "[20. 40. 60.]");
  CHECK(to_string(jvp(steep, x, x).second) == "[ 20.  80. 180.]");
  CHECK(to_string(hvp(total, x, x)) == "[20. 40. 60.]");
  auto const product =
      custom_jvp([](Float64<"n=3"> const& a, Float64<"n=3"> const& b) { return a * b; },
                 [](auto const& d, auto const&, auto const& a, auto const& b) {
                   return eval(a * std::get<1>(d) + 3 * b * std::get<0>(d));
                 });
  CHECK(to_string(grad([&](auto const& v) { return sum(product(v, x + 1.0)); })(x)) ==
        "[ 6.  9. 12.]");
}

TEST_CASE("the gradient of a fixed point is that of the implicit function") {
  auto const halve = [](Float64<"n=3"> const& y, Float64<"n=3"> const& a) {
    return 0.5 * (y + a / y);
  };
  auto const roots = [&](auto const& a) { return fixed_point(halve, ones<Float64<"n=3">>(), a); };
  CHECK(allclose(roots(x), sqrt(x), {1e-14, 1e-14}));
  CHECK(allclose(grad([&](auto const& a) { return sum(roots(a)); })(x), 0.5 / sqrt(x),
                 {1e-12, 1e-12}));
  auto const cosine = [](Float64<""> const& y) { return cos(y); };
  CHECK(fixed_point(cosine, Float64<"">(1)).item() == doctest::Approx(0.7390851332151607));
  CHECK_THROWS_WITH_AS(fixed_point(IterationOptions{.max_iter = 3}, cosine, Float64<"">(1)),
                       "tenon::fixed_point: expected convergence, got none in 3 steps", ValueError);
}

TEST_CASE("the gradient of a root is that of the implicit function, the second derivative too") {
  auto const circle = [](Float64<"n=2"> const& y, Float64<""> const& radius) {
    auto const a = pick<"n">(y, Int32<"">(0)), b = pick<"n">(y, Int32<"">(1));
    return stack<"n">(eval(a * a + b * b - radius * radius), eval(a - 2.0 * b));
  };
  auto const solve = [&](Float64<""> const& radius) {
    return root(circle, Float64<"n=2">{1, 1}, radius);
  };
  Float64<""> const radius(3);
  CHECK(solve(radius)(1) == doctest::Approx(3 / std::sqrt(5.0)));
  auto const first = [&](Float64<""> const& r) { return sum(square(solve(r))); };
  CHECK(grad(first)(radius).item() == doctest::Approx(6));
  CHECK(hessian(first)(radius).item() == doctest::Approx(2));
}

}  // namespace transformations_test
