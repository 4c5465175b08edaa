// Functions of 16-bit floats: computed in float32 in the file, too, and rounded where Tenon rounds.

#include "cases.hpp"

namespace onnx_cases {

namespace {

template <class T>
struct Narrow {
  Tensor<T, "batch d=6"> x;
};
template <class T>
Narrow<T> narrow(std::int64_t n) {
  return {numbers<Tensor<T, "batch d=6">>(1, n)};
}

template <class T>
struct HalfLayer {
  Linear<"d=6", "unit=4", T> linear;
  LayerNorm<"unit=4", T> norm;

  auto operator()(Float<"batch d=6"> auto const& x) const {
    return norm(Tensor<T, "batch unit=4">(relu(linear(x))));
  }
};

/// A case with inputs and results of float16, and one with bfloat16 inside alone, for which NumPy
/// has no dtype.
template <class F>
void of_halves(std::string const& name, F const& f) {
  save_case("float16_" + name, f, narrow<float16>(4), narrow<float16>(1), narrow<float16>(7));
  auto const inside = [&](Float32<"batch d=6"> const& x) {
    return to<float>(f(BFloat16<"batch d=6">(to<bfloat16>(x))));
  };
  save_case("bfloat16_" + name, inside, narrow<float>(4), narrow<float>(1), narrow<float>(7));
}

template <class T>
void of_layer() {
  auto const layer = init::normal<HalfLayer<T>>(Key{1}, 0.5f);
  auto const f = [&](Float32<"batch d=6"> const& x) {
    return to<float>(layer(Tensor<T, "batch d=6">(to<T>(x))));
  };
  save_case(std::string(internal::dtype_name<T>) + "_layer", f, narrow<float>(4), narrow<float>(1));
}

}  // namespace

TEST_CASE("onnx::save: functions of 16-bit floats") {
  of_halves("arithmetic", [](auto const& x) { return eval(x * x - x / 3.0f + 1.0f); });
  of_halves("stored", [](auto const& x) { return eval(eval(exp(x)) * eval(x * 0.1f)); });
  of_halves("compared", [](auto const& x) { return where(x > 0.5f, x, -x); });
  of_halves("sum", [](auto const& x) { return eval(sum<"d">(x)); });
  of_halves("max", [](auto const& x) { return eval(max<"batch">(x)); });
  of_halves("softmax", [](auto const& x) { return eval(softmax<"d">(x)); });
  of_halves("gram", [](auto const& x) { return eval(einsum<"b d, b e -> d e">(x, x)); });
  of_halves("transpose", [](auto const& x) { return eval(transpose<>(x) * 2.0f); });
}

TEST_CASE("onnx::save: layers of 16-bit parameters") {
  of_layer<float16>();
  of_layer<bfloat16>();
}

}  // namespace onnx_cases
