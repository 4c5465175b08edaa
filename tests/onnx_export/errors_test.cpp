#include "cases.hpp"

#include <tenon/autodiff/grad.hpp>
#include <tenon/fft.hpp>
#include <tenon/interp.hpp>
#include <tenon/statistics.hpp>

namespace onnx_cases {

namespace {

struct Row {
  Float32<"batch d=6"> x;
};
struct Indices {
  Int32<"batch"> ids;
};

Row row() { return {numbers<Float32<"batch d=6">>(1, 4)}; }

template <class F, class Inputs>
std::string words(F const& f, Inputs const& inputs, onnx::SaveOptions const& options = {}) {
  return words_of<Error>([&] { onnx::save(folder() / "never.onnx", f, inputs, options); });
}

}  // namespace

TEST_CASE("onnx::save refuses a read of a value that depends on an input") {
  std::string const expected =
      "tenon::onnx::save: a value that depends on an input is read as a number: control flow "
      "cannot depend on values; where(mask, a, b) chooses elements";
  CHECK(
      words([](auto const& x) { return eval(sum(x)).item() > 0 ? eval(x + 1.0f) : eval(x - 1.0f); },
            row()) == expected);
  CHECK(words([](auto const& x) { return x * x(0, 0); }, row()) == expected);
  CHECK(words([](auto const& ids) { return ids + ids(0); }, Indices{{1, 2, 3}}) == expected);
  CHECK(words([](auto const& x) { return x + *x.data(); }, row()) == expected);
}

TEST_CASE("onnx::save refuses what depends on sizes in another way") {
  CHECK(words([](auto const& x) { return x / float(size<"batch">(x) % 3); }, row()) ==
        "tenon::onnx::save: expected numbers that are sizes of inputs, their roots or their "
        "reciprocals, got 1 at batch=4 and 2 at batch=41 in 'div'");
  CHECK(words(
            [](auto const& x) {
              Float32<"batch d=6"> y = x;
              for (std::int64_t i = 0; i < size<"batch">(x); ++i) y = y * 2.0f;
              return y;
            },
            row())
            .starts_with(
                "tenon::onnx::save: expected the same operations for all inputs and sizes, got "));
  CHECK(words(
            [](auto const& x) {
              std::vector<float> const ones(static_cast<std::size_t>(size<"batch">(x)), 1.0f);
              return sum<"d">(x) * from_span<Float32<"batch">>(ones, size<"batch">(x));
            },
            row()) ==
        "tenon::onnx::save: expected a constant that is the same for all inputs, got float32 "
        "elements that depend on the input or its sizes: compute them by functions of tensors");
}

TEST_CASE("onnx::save refuses functions without a form in ONNX, by name") {
  CHECK(words([](auto const& x) { return linalg::solve(matmul(x, transpose<>(x)), x); }, row()) ==
        "tenon::onnx::save: 'solve' has no form in ONNX: compute it outside, and pass the result "
        "as an input");
  CHECK(words([](auto const& x) { return cumprod<"d">(x); }, row()) ==
        "tenon::onnx::save: 'cumprod' has no form in ONNX: compute it outside, and pass the result "
        "as an input");
  // Not a constant with the values for the traced input.
  CHECK(words([](auto const& x) { return histogram<Int64<"bin=2">>(x, 0, 1); }, row()) ==
        "tenon::onnx::save: 'histogram' has no form in ONNX: compute it outside, and pass the "
        "result as an input");
  CHECK(words([](auto const& x) { return unique(x).values; }, row()) ==
        "tenon::onnx::save: 'unique' has no form in ONNX: compute it outside, and pass the result "
        "as an input");
  CHECK(words(
            [](auto const& x) {
              return searchsorted(Float32<"edge=2">{0, 1}, x);
            },
            row()) ==
        "tenon::onnx::save: 'searchsorted' has no form in ONNX: compute it outside, and pass the "
        "result as an input");
  CHECK(words([](auto const& x) { return partition<"d">(x, 1); }, row()) ==
        "tenon::onnx::save: 'argpartition' has no form in ONNX: compute it outside, and pass the "
        "result as an input");
  auto const interpolates = [](auto const& x) {
    return interp(x, Float32<"n=2">{0, 1}, Float32<"n=2">{1, 3});
  };
  CHECK(words(interpolates, row()) ==
        "tenon::onnx::save: 'interp' has no form in ONNX: compute it outside, and pass the result "
        "as an input");
  CHECK(words([](auto const& x) { return argmax<"batch k">(stack<"k">(x, x)); }, row()) ==
        "tenon::onnx::save: 'argmax' has no form in ONNX: over several axes");
  CHECK(words([](auto const& x) { return grad([](auto const& y) { return sum(y * y); })(x); },
              row()) ==
        "tenon::onnx::save: 'value_and_grad' has no form in ONNX: compute it outside, and pass the "
        "result as an input");
}

TEST_CASE("onnx::save refuses complex numbers and Fourier transforms") {
  struct Spectra {
    Complex64<"batch d=6"> z;
  };
  Spectra const spectra{ones<Complex64<"batch d=6">>(4)};
  CHECK(words([](auto const& x) { return abs(complex(x, x)); }, row()) ==
        "tenon::onnx::save: 'complex' has no form in ONNX");
  CHECK(words([](auto const& z) { return z * z; }, spectra) ==
        "tenon::onnx::save: 'z': expected real numbers, as two parts, got complex ones");
  CHECK(words([](auto const& x) { return abs(fft::rfft<"d">(x)); }, row()) ==
        "tenon::onnx::save: 'rfft' has no form in ONNX: compute it outside, and pass the result as "
        "an input");
}

TEST_CASE("onnx::save refuses inputs that are not named apart or have no elements") {
  CHECK(words([](auto const& x) { return x; }, Row{zeros<Float32<"batch d=6">>(0)}) ==
        "tenon::onnx::save: 'x': expected at least one element along 'batch', got none");
  struct Pair {
    Float32<"n"> a, b;
  };
  CHECK(words([](auto const& a, auto const&) { return a; },
              Pair{zeros<Float32<"n">>(3), zeros<Float32<"n">>(4)}) ==
        "tenon::onnx::save: 'b': expected 'n' of size 3, as in another input, got 4");
  struct Model {
    Float32<"d=6"> x;
    auto operator()(Float32<"batch d=6"> const& input) const { return input * x; }
  };
  CHECK(words(Model{}, row()) ==
        "tenon::onnx::save: expected distinct names of inputs, weights and results, got 'x' twice");
  CHECK(words([](auto const& x) { return x; }, row(), {.opset = 16}) ==
        "tenon::onnx::save: expected opset 17 or newer, got 16");
}

TEST_CASE("onnx::save leaves no file and no trace behind after an error") {
  CHECK_FALSE(std::filesystem::exists(folder() / "never.onnx"));
  Float32<"batch d=6"> const x = row().x + 1.0f;
  CHECK(x.mark() == internal::TapeMark{});
  CHECK(value_and_grad([](Float32<"batch d=6"> const& y) { return sum(y * y); })(x).first() > 0);
}

TEST_CASE("onnx::save gives the same bytes each time") {
  auto const bytes = [](std::string const& name) {
    onnx::save(
        folder() / name, [](auto const& x) { return softmax<"d">(x); }, row());
    std::string const text = read_bytes(folder() / name);
    std::filesystem::remove(folder() / name);
    return text;
  };
  CHECK(bytes("a.onnx") == bytes("b.onnx"));
}

}  // namespace onnx_cases
