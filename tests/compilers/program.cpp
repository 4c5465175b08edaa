// A small but complete user program: `.ci/compilers` builds and runs it with each compiler, C++
// library and release of xsimd. It checks its numbers and prints their bits.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/formatter.hpp>

using namespace tenon;

struct Classifier {
  Linear<"pixel=6", "hidden=20"> first;
  Linear<"hidden=20", "digit=3"> last;

  auto operator()(Float<"batch pixel=6"> auto const& x) const {
    return eval(last(relu(first(x))));  // "batch digit=3"
  }
};

int failures = 0;

void check(char const* what, double got, double expected, double tolerance) {
  std::printf("%-20s %a\n", what, got);
  bool const equal = std::isnan(expected) ? std::isnan(got) : std::abs(got - expected) <= tolerance;
  if (equal && std::signbit(got) == std::signbit(expected)) return;
  std::printf("%s: expected %.9g, got %.9g\n", what, expected, got);
  ++failures;
}

/// Twenty steps of AdamW; checks that the loss decreases and that the gradient agrees with finite
/// differences.
void check_training() {
  auto const images = eval(normal<Float32<"batch pixel=6">>(Key{1}, 0, 1, 17));
  auto const digits = uniform<Int32<"batch">>(Key{2}, 0, 3, 17);
  auto const loss = [&](Classifier const& m) { return cross_entropy<"digit">(m(images), digits); };
  auto model = tenon::init::normal<Classifier>(Key{3}, 0.3);
  auto const adam = AdamW{.rate = 1e-2};
  auto state = adam.init(model);
  auto const begin = value_and_grad(loss)(model);
  auto above = model, below = model;
  above.first.weight(2, 7) += 1e-2f;
  below.first.weight(2, 7) -= 1e-2f;
  double const derivative = (double(loss(above).item()) - double(loss(below).item())) / 2e-2;
  check("gradient", double(begin.second.first.weight(2, 7)), derivative, 1e-3);
  for (int step = 0; step < 20; ++step) {
    auto const [value, gradient] = value_and_grad(loss)(model);
    std::tie(model, state) = adam.step(model, gradient, state);
  }
  check("loss before", double(begin.first.item()), 0, 9);
  check("loss after", double(loss(model).item()), 0, 9);
}

void check_words() {
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const numbers{-0.0f, 0.5f,   -1.5f, 88.5f, -100.0f, nan,
                                   2.5f,  3e-39f, 1e10f, 7,     -0.25f};
  Float32<"n"> const x(numbers, 11);
  auto const e = eval(exp(x));
  check("exp(88.5)", double(e(3)), 2.7230879e38, 1e33);
  check("exp(nan)", double(e(5)), double(nan), 0);
  check("-x", double(eval(-x)(0)), 0.0, 0);
  check("floor(-0)", double(eval(floor(x))(0)), -0.0, 0);
  check("floor(-1.5)", double(eval(floor(x))(2)), -2, 0);
  check("round(2.5)", double(eval(round(x))(6)), 2, 0);
  check("round(-0.25)", double(eval(round(x))(10)), -0.0, 0);
  check("abs(-0)", double(eval(abs(x))(0)), 0.0, 0);
  check("log(3e-39)", double(eval(log(x))(7)), -88.7022035, 1e-4);
  check("maximum(nan, 1)", double(eval(maximum(x, 1.0f))(5)), double(nan), 0);
  check("maximum(-0, 0)", double(eval(maximum(x, 0.0f))(0)), 0.0, 0);
  check("sqrt(2.5)", double(eval(sqrt(x))(6)), std::sqrt(2.5), 1e-6);
  check("to int", double(eval(to<std::int32_t>(x))(8)), 2147483647, 0);
  check("to float16", double(to<float>(to<float16>(x))(1)), 0.5, 0);
  check("to bfloat16", double(to<float>(to<bfloat16>(x))(3)), 88.5, 0);
  check("to double", eval(exp(to<double>(x)))(1), std::exp(0.5), 1e-15);
  check("not equal", double(eval(sum(to<std::int32_t>(x != x))).item()), 1, 0);
  check("where", double(eval(sum(where(x > 0.0f && x < 10.0f, x, 0.0f))).item()), 10, 1e-6);
}

void check_numbers() {
  Float32<"row column=9"> const a = normal<Float32<"row column=9">>(Key{4}, 0, 1, 33);
  auto const product = eval(matmul(a, transpose<"column row">(a)));
  double diagonal = 0;
  for (int i = 0; i < 9; ++i) diagonal += double(a(8, i)) * double(a(8, i));
  check("product", double(product(8, 8)), diagonal, 1e-5);
  auto const s = eval(softmax<"column">(a));
  check("softmax", double(eval(sum<"column">(s))(32)), 1, 1e-6);
  auto const d = eval(logsumexp<"column">(to<double>(a)));
  double total = 0;
  for (int i = 0; i < 9; ++i) total += std::exp(double(a(4, i)));
  check("logsumexp", d(4), std::log(total), 1e-13);
  auto const whole = uniform<Int32<"n">>(Key{5}, -1000, 1000, 100);
  long sum_by_hand = 0;
  for (int i = 0; i < 100; ++i) sum_by_hand += whole(i) % 7 * whole(i);
  check("integers", double(eval(sum(whole % 7 * whole)).item()), double(sum_by_hand), 0);
}

/// `std::format` where the C++ library has it.
void check_format() {
#if defined(__cpp_lib_format)
  Float32<"row column=2"> const x{{1, -2.5f}, {0.125f, 3}};
  bool const equal = std::format("{:.2f}", x + x) == "[[ 2.00 -5.00]\n [ 0.25  6.00]]";
  check("format", equal ? 1 : 0, 1, 0);
#endif
}

/// A tensor that is saved to a file is loaded with the same elements.
void check_file(std::string const& path) {
  save(path, Float64<"n=2">{0.5, -3});
  check("load", load<Float64<"n=2">>(path)(1), -3, 0);
}

int main(int, char** arguments) {
  check_training();
  check_words();
  check_numbers();
  check_format();
  check_file(std::string(arguments[0]) + ".safetensors");
  return failures == 0 ? 0 : 1;
}
