// Functions of several operations that are one operator of ONNX, and where they are not. Which
// operators a file contains, reference.py compares.

#include <tenon/nn.hpp>

#include "cases.hpp"

namespace onnx_cases {

namespace {

struct Rows {
  Float32<"batch t d=6"> x;
};
struct Doubles {
  Float64<"batch d=6"> x;
};
struct Scaled {
  Float32<"batch width"> x;
  Float32<"width"> scale;
  Float32<"width"> shift;
};
struct Image {
  Float32<"batch channel=3 t"> x;
};
struct Features {
  Float32<"batch channel=3"> x;
};
struct Pair {
  Float32<"batch d=6"> x;
  Float32<"batch d=6"> y;
};
struct Normed {
  LayerNorm<"d=6"> norm;
  auto operator()(Float<"batch t d=6"> auto const& x) const { return norm(x); }
};
/// As in the models of Llama.
template <class T>
struct RootMeanSquare {
  Tensor<T, "d=6"> weight;
  auto operator()(Expression auto const& x) const {
    return x * rsqrt(mean<"d">(square(x), keep) + T(1e-3)) * weight;
  }
};

Rows rows(std::int64_t n, std::int64_t t) { return {numbers<decltype(Rows::x)>(1, n, t)}; }
Doubles doubles(std::int64_t n) { return {numbers<decltype(Doubles::x)>(1, n)}; }
Pair pair(std::int64_t n) {
  return {numbers<decltype(Pair::x)>(1, n), numbers<decltype(Pair::y)>(2, n)};
}
Scaled scaled(std::int64_t n, std::int64_t width) {
  return {numbers<decltype(Scaled::x)>(1, n, width), numbers<decltype(Scaled::scale)>(2, width),
          numbers<decltype(Scaled::shift)>(3, width)};
}

/// A case of rows at three sizes.
template <class F>
void of_rows(std::int64_t opset, std::string const& name, F const& f) {
  save_case_with({.opset = opset}, name, f, rows(4, 5), rows(1, 3), rows(2, 9));
}

}  // namespace

TEST_CASE("onnx::save: layer norm is an operator") {
  of_rows(17, "layer_norm", init::normal<Normed>(Key{1}, 0.5f));
  auto const any = [](auto const& x, auto const& scale, auto const& shift) {
    auto const centred = x - mean<"width">(x, keep);
    return scale * (centred * rsqrt(mean<"width">(square(centred), keep) + 0.25f)) + shift;
  };
  save_case("layer_norm_of_any_width", any, scaled(3, 4), scaled(1, 7), scaled(5, 2));
  auto const plain = [](auto const& x, auto const& scale, auto const&) {
    auto const centred = x - mean<"width">(x, keep);
    return centred * rsqrt(mean<"width">(square(centred), keep) + 0.25f) * scale;
  };
  save_case("layer_norm_without_shift", plain, scaled(3, 4), scaled(1, 7), scaled(5, 2));
}

TEST_CASE("onnx::save: layer norm keeps its epsilon") {
  Normed model;
  model.norm.epsilon = 0.75f;
  of_rows(17, "layer_norm_epsilon", model);
}

TEST_CASE("onnx::save: batch norm is an operator where the channels are the second axis") {
  auto const image = [](std::int64_t n, std::int64_t t) {
    return Image{numbers<decltype(Image::x)>(1, n, t)};
  };
  BatchNorm<"channel=3"> norm;
  norm.weight = {0.5f, -2, 1}, norm.bias = {3, 0.25f, -1}, norm.epsilon = 0.375;
  norm.running_mean = Float32<"channel=3">{0.5f, 1, -0.5f};
  norm.running_var = Float32<"channel=3">{0.25f, 1, 2};
  save_case("batch_norm", norm, image(2, 5), image(1, 1), image(3, 7));
  auto const features = [](std::int64_t n) {
    return Features{numbers<decltype(Features::x)>(1, n)};
  };
  save_case("batch_norm_of_features", norm, features(4), features(1), features(7));
  save_case(
      "batch_norm_of_channels_last",
      [norm](auto const& x) {
        return norm(eval(rearrange<"batch channel t -> batch t channel">(x)));
      },
      image(2, 5), image(1, 1), image(3, 7));
}

TEST_CASE("onnx::save: what only resembles layer norm is not that operator") {
  auto const batch = [](auto const& x, auto const& scale, auto const& shift) {
    auto const centred = x - mean<"batch">(x, keep);
    return centred * rsqrt(mean<"batch">(square(centred), keep) + 0.25f) * scale + shift;
  };
  save_case("layer_norm_of_batch", batch, scaled(3, 4), scaled(2, 7), scaled(5, 2));
  auto const another = [](auto const& x, auto const& y) {
    auto const row = sum<"batch">(y);
    return x * rsqrt(mean<"d">(square(y), keep) + 0.25f) * row;
  };
  save_case_with({.opset = 23}, "layer_norm_of_another", another, pair(3), pair(1), pair(5));
}

TEST_CASE("onnx::save: RMS norm is an operator from opset 23 on") {
  auto const model = init::normal<RootMeanSquare<float>>(Key{2}, 0.5f);
  of_rows(18, "rms_norm_18", model);
  of_rows(23, "rms_norm_23", model);
  auto const wide = init::normal<RootMeanSquare<double>>(Key{2}, 0.5f);
  save_case_with({.opset = 23}, "rms_norm_of_float64", wide, doubles(3), doubles(1));
}

TEST_CASE("onnx::save: GELU is an operator from opset 20 on, in both forms") {
  for (std::int64_t const opset : {19, 20}) {
    std::string const end = "_" + std::to_string(opset);
    of_rows(opset, "gelu" + end, [](auto const& x) { return gelu(x); });
    of_rows(opset, "gelu_tanh" + end, [](auto const& x) { return gelu_tanh(x); });
  }
}

TEST_CASE("onnx::save: attention is an operator from opset 23 on") {
  auto const attends = [](auto const& x) {
    auto const heads = rearrange<"b t (h=2 f) -> b h t f">(x);
    return scaled_dot_product_attention(heads, heads * 0.5f, heads);
  };
  of_rows(22, "attention_22", attends);
  of_rows(23, "attention_23", attends);
  of_rows(23, "causal_attention_23", [](auto const& x) {
    auto const heads = rearrange<"b t (h=3 f) -> b h t f">(x);
    return scaled_dot_product_attention(heads, heads * 0.5f, heads, is_causal);
  });
}

}  // namespace onnx_cases
