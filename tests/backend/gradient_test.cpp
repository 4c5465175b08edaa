// Backward kernels emitted as C from the derivatives in op/ give the gradients of `reference`.

#include <tenon/backend/codegen/print/gradient_source.hpp>

#include "cuda_text.hpp"
#include "gradient_cases.hpp"
#include "numbers.hpp"

namespace gradient_test {
using namespace tenon;
using source_cases::GradientCases;
namespace {

// More than one block of a sum, with a remainder, and rows long enough for work groups (64).
constexpr std::int64_t rows = 5, columns = 66;

/// The operands of all expressions.
struct Leaves {
  Tensor<float, "n k"> x = numbers<Tensor<float, "n k">>(1, rows, columns);
  Tensor<float, "n k"> y = numbers<Tensor<float, "n k">>(2, rows, columns);
  Tensor<float, "n k"> ties = to<float>(to<std::int32_t>(x * 2.0f));
  Tensor<float, "n k"> none = zeros<Tensor<float, "n k">>(rows, 0);
  Tensor<float, "k"> gain = numbers<Tensor<float, "k">>(3, columns);
  Tensor<float, "k"> bias = numbers<Tensor<float, "k">>(4, columns);
  Tensor<float, "n"> weight = numbers<Tensor<float, "n">>(5, rows);
  Tensor<float, ""> scalar = numbers<Tensor<float, "">>(6);
  Tensor<float, "9 9"> square = numbers<Tensor<float, "9 9">>(6);
  Tensor<float, "k m=3"> w = numbers<Tensor<float, "k m=3">>(7, columns);
  Tensor<float, "m=3"> b = numbers<Tensor<float, "m=3">>(8);
  Tensor<float, "r=4 c=6"> small = numbers<Tensor<float, "r=4 c=6">>(9);
  Tensor<float, "p=2 q=3 r=4"> cube = numbers<Tensor<float, "p=2 q=3 r=4">>(10);
  Tensor<double, "n k"> wide = numbers<Tensor<double, "n k">>(11, rows, columns);
  Tensor<float, "v=9 d"> table = numbers<Tensor<float, "v=9 d">>(12, 5);
  Tensor<std::int32_t, "t"> ids = remainders<Tensor<std::int32_t, "t">>(20, 4);
  Tensor<std::int32_t, "n"> labels = remainders<Tensor<std::int32_t, "n">>(rows, 5);
  Tensor<std::int32_t, "n j"> places = remainders<Tensor<std::int32_t, "n j">>(rows, 9, 11);

  /// A few numbers, repeated many times.
  template <class R, class... I>
  static R remainders(std::int64_t count, I... rest) {
    std::int64_t const sizes[] = {rest...};
    R result = [&] {
      if constexpr (sizeof...(I) == 1) return zeros<R>(count);
      else return zeros<R>(count, sizes[0]);
    }();
    auto* const to = result.mutable_data();
    for (std::int64_t k = 0; k < result.size(); ++k)
      to[k] = static_cast<std::int32_t>(k * k % sizes[sizeof...(I) - 1]);
    return result;
  }
};

void add_maps(GradientCases& cases, Leaves const& t) {
  cases.add(
      "a binary map", 1e-6, [](auto const& x, auto const& y) { return tanh(x * y) + exp(x); }, t.x,
      t.y);
  cases.add(
      "repeated operands: along rows, along columns, everywhere", 1e-5,
      [](auto const& x, auto const& bias, auto const& weight, auto const& scalar) {
        return sigmoid(x * bias + rearrange<"n -> n 1">(weight)) * scalar;
      },
      t.x, t.bias, t.weight, t.scalar);
  cases.add(
      "one tensor as several operands", 1e-6,
      [](auto const& x, auto const& bias) { return (x + bias) * (x - bias) / (x * x + 1.0f); }, t.x,
      t.bias);
  cases.add(
      "only a bias", 1e-5, [](auto const& x, auto const& bias) { return relu(x + bias); }, t.x,
      t.bias);
  cases.add(
      "where, with comparisons", 0,
      [](auto const& x, auto const& y, auto const& bias) {
        return where(x <= y, x * y, where(x > 1.0f, -y, max(x, bias)));
      },
      t.x, t.y, t.bias);
  cases.add(
      "gradients stop", 0, [](auto const& x) { return stop_gradient(x) * x; }, t.x);
  cases.add(
      "doubles, and casts", 1e-6,
      [](auto const& x, auto const& y) { return log(x * x + 1.0) * to<double>(y); }, t.wide, t.x);
}

void add_moves(GradientCases& cases, Leaves const& t) {
  cases.add(
      "overlapping slices", 0,
      [](auto const& x) { return slice<"c", 1, 5>(x) * slice<"c", 2, 6>(x); }, t.small);
  cases.add(
      "a slice from a run-time index", 1e-6,
      [](auto const& x) { return exp(slice<"k", 20>(x, 3)); }, t.x);
  cases.add(
      "a tensor and its transpose", 1e-6,
      [](auto const& x) { return x * rearrange<"a b -> b a">(x) + x; }, t.square);
  cases.add(
      "reversed, and in order", 0, [](auto const& x) { return flip<"k">(x) * x; }, t.x);
  cases.add(
      "every second element, and all", 0,
      [](auto const& x) { return slice<"c", 0, 6, 2>(x) * slice<"c", 3, 6>(x); }, t.small);
  cases.add(
      "adjacent windows", 1e-6,
      [](auto const& x) { return sum<"window">(square(window<"k", 3>(x))); }, t.x);
  cases.add(
      "overlapping strided windows", 1e-6,
      [](auto const& x) { return exp(window<"k", 5, 2, 3>(x)); }, t.x);
  cases.add(
      "a reshaped tensor", 0, [](auto const& x) { return rearrange<"n k -> (n k)">(x) * 2.0f; },
      t.x);
}

void add_choices(GradientCases& cases, Leaves const& t) {
  cases.add(
      "embeddings, many of them one row", 1e-6,
      [](auto const& table, auto const& ids) { return tanh(take<"v">(table, ids)); }, t.table,
      t.ids);
  cases.add(
      "a mean of embeddings", 1e-5,
      [](auto const& table, auto const& ids) { return mean<"d">(take<"v">(table, ids)); }, t.table,
      t.ids);
  cases.add(
      "pick", 0, [](auto const& x, auto const& labels) { return pick<"k">(x, labels) * 2.0f; }, t.x,
      t.labels);
  cases.add(
      "take_along with repeated ids", 1e-6,
      [](auto const& x, auto const& places) { return exp(take_along<"k">(x, places)); }, t.x,
      t.places);
}

void add_reductions(GradientCases& cases, Leaves const& t) {
  cases.add(
      "softmax", 1e-5, [](auto const& x) { return softmax<"k">(x); }, t.x);
  cases.add(
      "log_softmax of doubles", 1e-13, [](auto const& x) { return log_softmax<"k">(x); }, t.wide);
  cases.add(
      "log-sum-exp", 1e-5, [](auto const& x) { return logsumexp<"k">(x); }, t.x);
  cases.add(
      "layer norm", 1e-5,
      [](auto const& x, auto const& gain, auto const& bias) {
        return (x - mean<"k">(x, keep)) * rsqrt(var<"k">(x, keep) + 1e-5f) * gain + bias;
      },
      t.x, t.gain, t.bias);
  cases.add(
      "a maximum among ties", 1e-6, [](auto const& x) { return max<"k">(x); }, t.ties);
  cases.add(
      "a minimum, subtracted from all elements", 1e-5,
      [](auto const& x) { return x - min<"k">(x, keep); }, t.ties);
  cases.add(
      "products, some with zeros", 1e-5,
      [](auto const& x) { return prod<-1>(slice<"k", 5>(x, 2)); }, t.ties);
  cases.add(
      "a sum over columns", 1e-6, [](auto const& x) { return sum<"n">(x * x); }, t.x);
  cases.add(
      "a maximum over columns", 1e-6, [](auto const& x) { return max<"n">(x * x); }, t.ties);
  cases.add(
      "a mean over all axes", 1e-5, [](auto const& x) { return mean(x * x); }, t.x);
  cases.add(
      "the difference from a mean", 1e-5, [](auto const& x) { return x - mean(x); }, t.x);
  cases.add(
      "sums over the first and the last axis, kept", 1e-5,
      [](auto const& x) { return x / (sum<"p r">(x * x, keep) + 1.0f); }, t.cube);
  cases.add(
      "a row with two axes", 1e-5, [](auto const& x) { return softmax<"q r">(x); }, t.cube);
  cases.add(
      "a softmax, summed over its columns", 1e-5,
      [](auto const& x) { return sum<"n">(exp(softmax<"k">(x))); }, t.x);
  cases.add(
      "empty rows", 0, [](auto const& x) { return sum<"k">(x * x) + 1.0f; }, t.none);
}

void add_losses(GradientCases& cases, Leaves const& t) {
  cases.add(
      "cross-entropy", 1e-5,
      [](auto const& x, auto const& labels) {
        auto const shift = stop_gradient(max<"k">(x));
        return mean(log(sum<"k">(exp(x - shift))) - (pick<"k">(x, labels) - shift));
      },
      t.x, t.labels);
  cases.add(
      "a squared error", 1e-5, [](auto const& x, auto const& y) { return mean(square(x - y)); },
      t.x, t.y);
}

void add_products(GradientCases& cases, Leaves const& t) {
  cases.add(
      "a matmul with its epilogue", 1e-5,
      [](auto const& x, auto const& w, auto const& b) { return gelu(matmul(x, w) + b); }, t.x, t.w,
      t.b);
  cases.add(
      "a matmul of two transposed operands", 1e-5,
      [](auto const& x, auto const& w) { return matmul(transpose<"k m">(w), transpose<"n k">(x)); },
      t.x, t.w);
  cases.add(
      "a matmul of a tensor with itself", 1e-5,
      [](auto const& x) { return matmul(x, transpose<"n k">(x)); }, t.x);
  cases.add(
      "a mean of a matmul with its epilogue", 1e-5,
      [](auto const& x, auto const& w, auto const& b) { return mean(square(matmul(x, w) - b)); },
      t.x, t.w, t.b);
  cases.add(
      "batched matmuls", 1e-5,
      [](auto const& x, auto const& y) { return einsum<"n k, n k -> n">(x, y); }, t.x, t.y);
}

void add_all(GradientCases& cases, Leaves const& leaves) {
  add_maps(cases, leaves);
  add_moves(cases, leaves);
  add_choices(cases, leaves);
  add_reductions(cases, leaves);
  add_losses(cases, leaves);
  add_products(cases, leaves);
}

}  // namespace

TEST_CASE("backward kernels emitted as C give the gradients of reference, in any order of rows") {
  Leaves const leaves;
  GradientCases forth(tenon::dialect::C::text), back(source_cases::reversed_c);
  add_all(forth, leaves);
  add_all(back, leaves);
  Folder one, other;
  void* const library = source_cases::compiled(forth.text(), one);
  if (library == nullptr) {
    MESSAGE("skipped: there is no C compiler `cc`");
    return;
  }
  forth.run(library);
  void* const reversed = source_cases::compiled(back.text(), other, "-O0");
  back.run(reversed);
  CHECK(forth == back);
  dlclose(library);
  dlclose(reversed);
}

TEST_CASE("backward kernels emitted as CUDA C compile and give the gradients of reference") {
  if (!cuda_text::is_tested) return;
  Leaves const leaves;
  GradientCases cases(tenon::dialect::CudaC::text);
  add_all(cases, leaves);
  cuda_text::expect_compiles(cases.kernels_text());
  cuda_text::Library const library(cases.kernels_text());
  cases.run([&](auto const& kernel, auto const& arguments) { library.run(kernel, arguments); });
}

TEST_CASE("backward kernels emitted for Metal compile and give the gradients of reference") {
  Leaves const leaves;
  if (!cuda_text::is_tested) return;
  GradientCases cases(tenon::dialect::MetalC::text);
  add_all(cases, leaves);
  metal_text::expect_compiles(cases.kernels_text());
  metal_text::Library const library(cases.kernels_text());
  cases.run([&](auto const& kernel, auto const& arguments) { library.run(kernel, arguments); });
}
}  // namespace gradient_test
