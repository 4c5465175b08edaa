// The code that docs/evaluation.md shows, and what it says of kernels, caches and memory.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <type_traits>
#include <utility>

#include <tenon/eval/print_graph.hpp>
#include <tenon/tenon.hpp>

namespace docs_evaluation {
namespace {

using namespace tenon;

using Rows = Float32<"batch hidden=24">;
using Outputs = Float32<"batch out=40">;

auto const x = normal<Rows>(Key{1}, 90);
auto const y = normal<Rows>(Key{2}, 90);
auto const w = normal<Float32<"hidden=24 out=40">>(Key{3});
auto const bias = normal<Float32<"out=40">>(Key{4});
auto const w2 = normal<Float32<"out=40 digit=10">>(Key{5});

template <class F>
std::int64_t kernels(F const& f) {
  auto const before = kernels_run;
  f();
  return kernels_run - before;
}

template <class X>
constexpr bool gives_expression = !std::is_same_v<X, decltype(eval(std::declval<X>()))>;

/// Returns an expression over a local tensor.
auto scaled(Rows const& rows, float scale) {
  Rows const local = rows * scale;
  return local + 1.0f;
}

Outputs layer(Rows const& rows) { return relu(matmul(rows, w) + bias); }

TEST_CASE("nothing is computed until an expression becomes a tensor") {
  auto const before = kernels_run;
  auto const sum_of_both = x + y;  // an expression: two operands, no elements yet
  CHECK(kernels_run == before);
  Rows const z = sum_of_both;  // one kernel
  CHECK(kernels_run == before + 1);
  CHECK(z(3, 4) == x(3, 4) + y(3, 4));
}

TEST_CASE("an expression owns what it refers to, with the elements of the time it was made") {
  auto const expression = scaled(x, 2);  // the local tensor lives on in it
  CHECK(expression(1, 2) == 2 * x(1, 2) + 1);

  Rows z = x;
  auto const later = z + 1;
  z(0, 0) = 100;
  CHECK(later(0, 0) == x(0, 0) + 1);  // the value at the time when it was written
}

TEST_CASE("each of these evaluates an expression") {
  Rows z = x + y;                  // initialization
  z = x - y;                       // assignment
  auto const value = eval(x * y);  // eval: of any expression its tensor
  Outputs const h = layer(x + y);  // a parameter that is a tensor
  float const total = sum(x);      // a scalar that becomes a number
  std::ostringstream out;
  out << sum<"hidden">(x);                 // printing
  auto const product = matmul(exp(x), w);  // exp(x): an operand of a contraction is a tensor
  CHECK(gives_expression<std::remove_cv_t<decltype(product)>>);
  CHECK(value(1, 1) == x(1, 1) * y(1, 1));
  CHECK(z(1, 1) == x(1, 1) - y(1, 1));
  CHECK(h(1, 1) >= 0);
  CHECK(std::isfinite(total));
}

TEST_CASE("scalars become numbers, and rows are a range") {
  float best = 10;
  Float32<""> const loss = mean(x);
  if (loss < best) best = loss;
  double total = 0;
  for (auto const row : x + y) total += sum(row);  // a double holds every float
  for (float const value : sum<"hidden">(x)) best = std::max(best, value);
  CHECK(total == doctest::Approx(double{sum(x + y).item()}).epsilon(1e-4));
  CHECK(best == std::max(loss.item(), max(sum<"hidden">(x)).item()));
}

TEST_CASE("sizes are compared when an expression is made") {
  auto const two = ones<Float32<"n">>(2), three = ones<Float32<"n">>(3);
  CHECK_THROWS_AS(two + three, ShapeError);
}

TEST_CASE("small tensors of known sizes need no kernel") {
  Float32<"3 3"> const small{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(kernels([&] { eval(small + transpose(small)); }) == 0);
}

TEST_CASE("which functions give expressions and which give tensors") {
  static_assert(gives_expression<decltype(where(x > 0, x, 0))>);
  static_assert(gives_expression<decltype(to<double>(x))>);
  static_assert(gives_expression<decltype(sum<"hidden">(x))>);
  static_assert(gives_expression<decltype(softmax<"hidden">(x))>);
  static_assert(gives_expression<decltype(argmax<"hidden">(x))>);
  static_assert(gives_expression<decltype(transpose(x))>);
  static_assert(gives_expression<decltype(slice<"batch", 0, 2>(x))>);
  static_assert(gives_expression<decltype(rearrange<"b (h=6 d) -> h b d">(x))>);
  static_assert(gives_expression<decltype(x[0])>);
  static_assert(gives_expression<decltype(take<"batch">(x, Int32<"n">{1, 2}))>);
  static_assert(gives_expression<decltype(matmul(x, w))>);
  static_assert(!gives_expression<decltype(concat<"batch">(x, y))>);
  static_assert(!gives_expression<decltype(stack<"pair">(x, y))>);
  static_assert(!gives_expression<decltype(pad<"hidden", 1, 1>(x))>);
  static_assert(!gives_expression<decltype(set<"batch">(x, 1, y[0]))>);
  static_assert(!gives_expression<decltype(cumsum<"hidden">(x))>);
  static_assert(!gives_expression<decltype(sort<"hidden">(x))>);
  static_assert(!gives_expression<decltype(linalg::det(matmul(transpose(x), x)))>);
  static_assert(!gives_expression<decltype(mse_loss(x, y))>);
  static_assert(!gives_expression<decltype(normal<Rows>(Key{1}, 9))>);
}

TEST_CASE("what is one kernel") {
  CHECK(kernels([&] { Rows z = relu(x * y + 1); }) == 1);
  CHECK(kernels([&] { Rows z = softmax<"hidden">(x); }) == 1);
  CHECK(kernels([&] { Rows z = (x - mean<"hidden">(x)) / sqrt(var<"hidden">(x)); }) == 1);
  CHECK(kernels([&] { eval(sum(square(x - y))); }) == 1);
  CHECK(kernels([&] { Outputs z = relu(matmul(x, w) + bias); }) == 1);
  CHECK(kernels([&] { Float32<"out=40 batch"> z = matmul(transpose(w), transpose(x)); }) == 1);
  CHECK(kernels([&] { Rows z = take<"batch">(x, Int32<"batch">{3, 0}) * 2; }) == 1);
  CHECK(kernels([&] { auto const [sum, difference] = eval(x + y, x - y); }) == 1);
}

TEST_CASE("what ends a kernel") {
  CHECK(kernels([&] { eval(matmul(relu(matmul(x, w) + bias), w2)); }) == 2);
  CHECK(kernels([&] { Outputs z = softmax<"out">(matmul(x, w) + bias); }) == 2);
  CHECK(kernels([&] { eval(mean<"batch">(x)); }) == 2);  // a sum of columns, a division
  CHECK(kernels([&] { Rows z = x - mean<"batch">(x); }) == 3);
  CHECK(kernels([&] { Outputs z = matmul(x, w) * matmul(y, w); }) == 2);
}

TEST_CASE("the plan of a layer norm") {
  auto const centred = x - mean<"hidden">(x, keep);
  auto const normalized = centred / sqrt(mean<"hidden">(square(centred), keep) + 1e-5f);
  CHECK(graph_text(normalized) ==
        R"(x0 = tensor                         float32 "batch hidden=24"
kernel 0: rows
  v0 = sum(x0)                      float32 "batch hidden=1"
  v1 = div(v0, 24.0)                float32 "batch hidden=1"
  v2 = sub(x0, v1)                  float32 "batch hidden=24"
  v3 = square(v2)                   float32 "batch hidden=24"
  v4 = sum(v3)                      float32 "batch hidden=1"
  v5 = div(v4, 24.0)                float32 "batch hidden=1"
  v6 = add(v5, 1e-05)               float32 "batch hidden=1"
  v7 = sqrt(v6)                     float32 "batch hidden=1"
  v8 = div(v2, v7)                  float32 "batch hidden=24"
)");
}

TEST_CASE("the same reduction with keep and without is computed twice") {
  auto const text = graph_text(x - mean<"hidden">(x, keep) + mean<"hidden">(x));
  auto const first = text.find("sum(x0)");
  CHECK(text.find("sum(x0)", first + 1) != text.npos);
}

TEST_CASE("another shape of a tensor is not copied") {
  CHECK(reshape<"n 12">(x).data() == x.data());
  CHECK(rename<"batch -> n">(x).data() == x.data());
}

TEST_CASE("the plan of a sum over columns, and of a product") {
  CHECK(graph_text(mean<"batch">(x)) ==
        R"(x0 = tensor                         float32 "batch hidden=24"
kernel 0: columns
  v0 = sum(x0)                      float32 "hidden=24"
kernel 1: map
  v1 = div(v0, 90.0)                float32 "hidden=24"
)");
  CHECK(graph_text(relu(matmul(x, w) + bias)) ==
        R"(x0 = tensor                         float32 "batch hidden=24"
x1 = tensor                         float32 "hidden=24 out=40"
x2 = tensor                         float32 "out=40"
kernel 0: product with epilogue
  v0 = matmul(x0, x1)               float32 "batch out=40"
  v1 = add(v0, x2)                  float32 "batch out=40"
  v2 = relu(v1)                     float32 "batch out=40"
)");
}

TEST_CASE("a named contraction is computed once, a named elementwise map each time") {
  CHECK(kernels([&] {
          auto const h = matmul(x, w);
          Outputs const a = h, b = h + bias;  // the product, then one addition
        }) == 2);
  CHECK(kernels([&] {
          auto const e = exp(x);
          Rows const a = e, b = 2 * e;  // exp of all elements, twice
        }) == 2);
  CHECK(kernels([&] {
          auto const m = mean<"hidden">(x);
          Rows const a = x - m, b = x / m;  // each of the two kernels computes the means
        }) == 2);
}

TEST_CASE("a name between a contraction and what follows it is a second kernel") {
  CHECK(kernels([&] {
          auto const h = matmul(x, w);
          Outputs const z = relu(h + bias);
        }) == 2);
}

TEST_CASE("an element of an elementwise map is computed alone, of anything else all are") {
  auto const e = exp(x) + 1;
  CHECK(kernels([&] { CHECK(e(0, 0) == doctest::Approx(std::exp(x(0, 0)) + 1)); }) == 0);
  auto const s = softmax<"hidden">(x);
  CHECK(kernels([&] { CHECK(s(0, 0) + s(0, 1) < 1); }) == 1);  // all of them, once
}

TEST_CASE("a name over a reduction is cached as an operand of contractions, a map is not") {
  auto const e = exp(x);
  CHECK(kernels([&] { Outputs a = matmul(e, w), b = matmul(e, w); }) == 4);
  auto const value = eval(exp(x));
  CHECK(kernels([&] { Outputs a = matmul(value, w), b = matmul(value, w); }) == 2);
  auto const s = softmax<"hidden">(x);
  CHECK(kernels([&] { Outputs a = matmul(s, w), b = matmul(s, w); }) == 3);
}

TEST_CASE("equal parts of one expression are computed once; across kernels they are not") {
  auto const spread = var<"batch">(x);
  CHECK(kernels([&] { Rows z = (x - mean<"batch">(x)) / sqrt(spread); }) == 7);
  CHECK(kernels([&] {
          auto const centred = eval(x - mean<"batch">(x));
          Rows const z = centred / sqrt(mean<"batch">(square(centred)));
        }) == 6);
}

}  // namespace
}  // namespace docs_evaluation
