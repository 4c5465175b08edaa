// Sizes that are quotients, minima and roots of the sizes of inputs, at sizes far from the traced
// ones.

#include "cases.hpp"

#include <tenon/io/onnx/decode.hpp>

namespace onnx_cases::sizes {

namespace {

struct Row {
  Float32<"batch t"> x;
};
struct Images {
  Float32<"batch channel=2 height width"> x;
};
struct Matrix {
  Float32<"n m"> x;
};
struct Bounded {
  Float32<"n=4..8 t=..2"> x;
};
struct Classifier {
  Float32<"out=3 channel=2 height=5 width=5"> kernel;
  Linear<"channel=3", "digit=3"> head;

  auto operator()(Float<"batch channel=2 height width"> auto const& x) const {
    Float32<"batch out=3 height width"> const y =
        relu(convolve<"height width", Sliding{.stride = 4, .padding = 1}>(x, kernel));
    return head(rename<"out -> channel">(mean<"height width">(y)));
  }
};
struct Free {
  Float32<"in hidden"> weight;
  auto operator()(Float<"batch in"> auto const& x) const { return relu(matmul(x, weight)); }
};
struct Features {
  Float32<"batch in"> x;
};

Row row(std::int64_t n, std::int64_t t) { return {numbers<decltype(Row::x)>(1, n, t)}; }
Matrix matrix(std::int64_t n, std::int64_t m) { return {numbers<decltype(Matrix::x)>(2, n, m)}; }
Images images(std::int64_t n, std::int64_t height, std::int64_t width) {
  return {numbers<decltype(Images::x)>(3, n, height, width)};
}
Bounded bounded(std::int64_t n, std::int64_t t) { return {numbers<decltype(Bounded::x)>(4, n, t)}; }

template <class F>
void of_rows(std::string const& name, F const& f) {
  save_case(name, f, row(2, 5), row(3, 20), row(1, 41), row(5, 8));
}
template <class F>
void of_matrices(std::string const& name, F const& f) {
  save_case(name, f, matrix(4, 5), matrix(9, 6), matrix(3, 17), matrix(30, 4));
}
template <class F, class Inputs>
std::string words(F const& f, Inputs const& inputs) {
  return words_of<Error>([&] { onnx::save(folder() / "never.onnx", f, inputs); });
}

}  // namespace

TEST_CASE("onnx::save: a mean over positions of a strided convolution, at any size") {
  auto const model = init::normal<Classifier>(Key{1}, 0.3f);
  save_case("strided", model, images(2, 20, 20), images(1, 40, 40), images(3, 21, 64));
}

TEST_CASE("onnx::save: quotients of sizes") {
  of_rows("slice_by_four", [](auto const& x) { return slice<"t", 0, to_end, 4>(x) * 2.0f; });
  of_rows("windows_by_eight", [](auto const& x) { return max<"window">(window<"t", 3, 8>(x)); });
  of_rows("mean_of_windows",
          [](auto const& x) { return mean(max<"window">(window<"t", 4, 4>(x))); });
  of_rows("iota_of_windows", [](auto const& x) {
    auto const y = eval(sum<"batch">(max<"window">(window<"t", 4, 4>(x))));
    return to<float>(iota<Int64<"k">>(size<0>(y)));
  });
  of_rows("windows_of_windows", [](auto const& x) {
    Float32<"batch t"> const y = max<"window">(window<"t", 3, 2>(x));
    return mean<"t">(y) + sum<1>(max<"window">(window<1, 2, 2>(pad<"t", 1, 1>(y))));
  });
  save_case(
      "halves", [](auto const& x) { return rearrange<"b (k=2 t) -> b t k">(x); }, row(2, 4),
      row(3, 6), row(1, 40));
}

TEST_CASE("onnx::save: the shorter of two sizes") {
  of_matrices("diagonal_of_any", [](auto const& x) { return diagonal(x) * 2.0f; });
  of_matrices("trace_of_any", [](auto const& x) { return trace(x); });
}

TEST_CASE("onnx::save: numbers that follow from sizes") {
  of_matrices("over_root", [](auto const& x) { return x / std::sqrt(float(size<"n">(x))); });
  of_matrices("times_inverse_root",
              [](auto const& x) { return x * (1 / std::sqrt(float(size<"n">(x)))); });
  of_matrices("over_quarter", [](auto const& x) { return x * float(size<"n">(x) / 4); });
  of_matrices("mean_of_padded",
              [](auto const& x) { return mean(pad<"n", 1, 1>(pad<"m", 0, 2>(x, 3.0f))); });
  of_matrices("equal_numbers", [](auto const& x) { return mean<"n">(x * 3.0f) + mean(x) * 4.0f; });
}

TEST_CASE("onnx::save: triangles, and the place of the largest of all elements") {
  of_matrices("tril", [](auto const& x) { return tril(x) + triu(x, 2); });
  of_matrices("diagonals_beyond", [](auto const& x) { return tril(x, 7) + triu(x, -7); });
  of_matrices("argmax_of_all", [](auto const& x) { return argmax(x); });
  of_matrices("argmin_of_all", [](auto const& x) { return argmin(x) + 1; });
}

TEST_CASE("onnx::save: an axis given at its upper bound stays a run-time size") {
  save_case(
      "bounded", [](auto const& x) { return softmax<"n">(x) * float(size<"n">(x)); }, bounded(8, 2),
      bounded(4, 1), bounded(5, 2));
  auto const dims = internal::onnx::read(folder() / "bounded.onnx").graph.inputs.at(0).dims;
  CHECK(dims == std::vector<internal::onnx::Dimension>{"n", "t"});
}

TEST_CASE("onnx::save: an axis that the model's weights determine has their size") {
  Free const model{numbers<Float32<"in hidden">>(5, 6, 4)};
  auto const features = [](std::int64_t n) {
    return Features{numbers<decltype(Features::x)>(6, n, 6)};
  };
  save_case("free_weights", model, features(2), features(1), features(30));
  auto const graph = internal::onnx::read(folder() / "free_weights.onnx").graph;
  CHECK(graph.inputs.at(0).dims == std::vector<internal::onnx::Dimension>{"batch", 6});
}

TEST_CASE("onnx::save refuses numbers that depend on sizes in another way, by operation and axis") {
  std::string const expected =
      "tenon::onnx::save: expected numbers that are sizes of inputs, their roots or their "
      "reciprocals, got ";
  CHECK(words([](auto const& x) { return x * float(std::min<std::int64_t>(size<"t">(x), 8)); },
              row(2, 20)) == expected + "8 at t=20 and 2 at t=2 in 'mul'");
  CHECK(words([](auto const& x) { return size<"t">(x) > 16 ? eval(x + 1.0f) : eval(x * 2.0f); },
              row(2, 20)) ==
        "tenon::onnx::save: expected the same operations for all inputs and sizes, got 'add' at "
        "t=20 and 'mul' at t=2");
  CHECK(words([](auto const& x) { return size<"t">(x) > 16 ? eval(x + 1.0f) : cumprod<"t">(x); },
              row(2, 20)) ==
        "tenon::onnx::save: 'cumprod' has no form in ONNX: compute it "
        "outside, and pass the result as an input");
  auto const first = [](auto const& x) {
    return slice<"t">(x, 0, std::min<std::int64_t>(size<"t">(x), 8)) * 2.0f;
  };
  CHECK(words(first, row(2, 9)) ==
        "tenon::onnx::save: expected sizes that are expressions in the sizes of inputs, got 8 at "
        "t=9 and 2 at t=2 in 'move'");
}

}  // namespace onnx_cases::sizes
