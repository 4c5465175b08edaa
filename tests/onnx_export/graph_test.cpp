// What a saved file says of axes, bounds, domains and external data.

#include "cases.hpp"

#include <algorithm>

#include <tenon/io/onnx/decode.hpp>

namespace onnx_cases::graph {

namespace {

using internal::onnx::Dimension;
using internal::onnx::Model;

struct Two {
  Float32<"batch=1..64 n"> x;
  Float32<"batch=1..64 m"> y;
};

/// A custom operator: one in a domain other than that of the standard operators.
struct Cubed {
  static constexpr std::string_view name = "cubed";
  static constexpr std::string_view onnx = "my.operators.Cubed";
  template <class V>
  static constexpr V f(V x) {
    return x * x * x;
  }
};

struct Product {
  Float32<"m=64 out=64"> weight = ones<Float32<"m=64 out=64">>();

  auto operator()(auto const& x) const { return matmul(x, weight); }
};
struct Wide {
  Float32<"n m=64"> x;
};

template <class F, class Inputs>
Model saved(std::string const& name, F const& f, Inputs const& inputs,
            onnx::SaveOptions const& options = {}) {
  auto const path = folder() / (name + ".onnx");
  onnx::save(path, f, inputs, options);
  Model model = internal::onnx::read(path);
  std::filesystem::remove(path);
  return model;
}

Two two() { return {ones<Float32<"batch=1..64 n">>(2, 3), ones<Float32<"batch=1..64 m">>(2, 4)}; }

}  // namespace

TEST_CASE("a saved file names run-time axes, their bounds and the sizes that follow from them") {
  auto const model = saved(
      "axes", [](auto const& x, auto const& y) { return concat<"n">(x, rename<"m -> n">(y)); },
      two());
  using Dimensions = std::vector<Dimension>;
  CHECK(model.graph.inputs.at(0).dims == Dimensions{"batch", "n"});
  CHECK(model.graph.inputs.at(1).dims == Dimensions{"batch", "m"});
  CHECK(model.graph.outputs.at(0).dims == Dimensions{"batch", "n+m"});
  CHECK(model.metadata.at("tenon.bounds.batch") == "1..64");
  CHECK(model.metadata.count("tenon.bounds.n") == 0);
}

TEST_CASE("an own operation is a node of its domain, which the file imports") {
  auto const model = saved(
      "domain", [](auto const& x, auto const&) { return map<Cubed>(x); }, two());
  CHECK(model.graph.nodes.at(0).op_type == "Cubed");
  CHECK(model.graph.nodes.at(0).domain == "my.operators");
  CHECK(std::ranges::count(model.opset_imports, "my.operators",
                           &internal::onnx::OpsetImport::domain) == 1);
}

TEST_CASE("weights beyond the size that a file may contain are in a second one") {
  auto const path = folder() / "outside.onnx", data = folder() / "outside.onnx.data";
  Product const product;
  onnx::save(path, product, Wide{ones<Float32<"n m=64">>(2)}, {.most_bytes_inside = 1000});
  CHECK(std::filesystem::file_size(path) < 2000);
  CHECK(std::filesystem::file_size(data) >= 64 * 64 * 4);
  auto const weight = internal::onnx::read(path).graph.initializers.at(0);
  CHECK(weight.name == "weight");
  CHECK(weight.bytes.view.size() == 64 * 64 * 4);
  CHECK(std::filesystem::remove(path));
  CHECK(std::filesystem::remove(data));
}

}  // namespace onnx_cases::graph
