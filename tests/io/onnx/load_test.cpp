// Weights of models: trees, and the errors where they do not fit.

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../folder.hpp"
#include "initializers.hpp"

#include <tenon/io/onnx.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace load_onnx_test {

using namespace tenon;
using namespace tenon::internal::onnx;

namespace {

struct Layer {
  Float32<"in out"> weight;
  std::optional<Float32<"out">> bias;
};
struct Net {
  std::vector<Layer> layers;
  Int64<"n=2"> sizes;
  Tensor<std::complex<double>, "n=2"> roots;
  Mask<"n=2"> mask;
  Key key{7};
  float rate = 0;
  bool done = false;
};

template <class T>
TensorData data_of(std::string name, std::vector<std::int64_t> dims, std::vector<T> elements) {
  auto const owner = std::make_shared<std::vector<T> const>(std::move(elements));
  return {std::move(name),
          data_type_for(tenon::internal::dtype_name<T>),
          std::move(dims),
          {std::as_bytes(std::span(*owner)), owner}};
}

Model model_of(std::vector<TensorData> tensors) {
  Model model;
  model.opset_imports = {{"", 17}};
  model.graph.name = "net";
  model.graph.initializers = std::move(tensors);
  return model;
}

TensorData byte_data(std::string name, std::vector<std::int64_t> dims, DataType dtype,
                     std::vector<std::uint8_t> elements) {
  TensorData data = data_of<std::uint8_t>(std::move(name), std::move(dims), std::move(elements));
  data.dtype = dtype;
  return data;
}

Model net() {
  return model_of({data_of<float>("layers.0.weight", {2, 3}, {1, 2, 3, 4, 5, 6}),
                   data_of<float>("layers.1.weight", {3, 1}, {7, 8, 9}),
                   data_of<float>("layers.1.bias", {1}, {10}),
                   data_of<std::int64_t>("sizes", {2}, {-1, 1}),
                   data_of<std::complex<double>>("roots", {2}, {{0, 1}, {0, -1}}),
                   byte_data("mask", {2}, DataType::boolean, {0, 1}),
                   data_of<std::uint32_t>("key", {2}, {3, 4}), data_of<float>("rate", {}, {0.5f}),
                   byte_data("done", {}, DataType::boolean, {1})});
}

void check_net(Net const& x) {
  REQUIRE(x.layers.size() == 2);
  CHECK(x.layers[0].weight(1, 2) == 6);
  CHECK(!x.layers[0].bias);
  CHECK(x.layers[1].weight(2, 0) == 9);
  REQUIRE(x.layers[1].bias);
  CHECK((*x.layers[1].bias)(0) == 10);
  CHECK(x.sizes(0) == -1);
  CHECK(x.roots(1) == std::complex<double>(0, -1));
  CHECK((!x.mask(0) && x.mask(1)));
  CHECK(x.key.words() == op::PhiloxKey{3, 4});
  CHECK(x.rate == 0.5f);
  CHECK(x.done);
}

template <class Tree>
std::string message_of(Model const& model, LoadOptions options = {}) {
  Folder const folder;
  internal::onnx::write(model, folder / "x");
  return words_of<Error>([&] { tenon::onnx::load<Tree>(folder / "x", options); });
}

struct One {
  Float32<"in=2 out"> w;
};

}  // namespace

TEST_CASE("a tree of every kind of leaf is loaded by the names of its fields") {
  Folder const folder;
  internal::onnx::write(net(), folder / "x");
  check_net(tenon::onnx::load<Net>(folder / "x"));
}

TEST_CASE("the leaves of a tree are initialisers without a copy of their elements") {
  Folder const folder;
  internal::onnx::write(net(), folder / "x");
  Net const x = tenon::onnx::load<Net>(folder / "x");
  Model const model = model_of(initializers_of(x));
  internal::onnx::write(model, folder / "y");
  check_net(tenon::onnx::load<Net>(folder / "y"));
  auto const large = ones<Float32<"n=1000">>();
  TensorData const data = initializer_of("large", large);
  CHECK(static_cast<void const*>(data.bytes.view.data()) == large.data());
  CHECK(data.dims == std::vector<std::int64_t>{1000});
}

TEST_CASE("elements of a file remain readable when the file is replaced") {
  Folder const folder;
  internal::onnx::write(net(), folder / "x");
  Model const model = internal::onnx::read(folder / "x");
  internal::onnx::write(model_of({}), folder / "x");
  internal::onnx::write(model, folder / "x");
  check_net(tenon::onnx::load<Net>(folder / "x"));
}

TEST_CASE("a file with a name that is not ASCII has external data") {
  Folder const folder;
  auto const path = folder / "" / std::filesystem::path(u8"ä.onnx");
  Model const model = model_of({data_of<float>("value", {1000}, std::vector<float>(1000, 3))});
  internal::onnx::write(model, path, {.most_bytes_inside = 0});
  CHECK(tenon::onnx::load<Float32<"n">>(path)(999) == 3);
}

TEST_CASE("external data are loaded, aligned in a file beside the model") {
  Folder const folder;
  std::vector<float> const large(1000, 3);
  Model const model = model_of({data_of<float>("a", {1000}, large), data_of<float>("b", {1}, {2}),
                                data_of<float>("c", {10, 100}, large)});
  internal::onnx::write(model, folder / "x", {.most_bytes_inside = 8003});
  CHECK(std::filesystem::file_size(folder / "x.data") == 4032 + 4000);
  CHECK(std::filesystem::file_size(folder / "x") < 600);
  struct Three {
    Float32<"n"> a;
    Float32<"m"> b;
    Float32<"row column"> c;
  };
  auto const x = tenon::onnx::load<Three>(folder / "x");
  CHECK(x.a(999) == 3);
  CHECK(x.b(0) == 2);
  CHECK(x.c(9, 99) == 3);
  CHECK(folder.count() == 2);
}

TEST_CASE("elements that are not larger than the limit are in one file") {
  Folder const folder;
  Model const model = model_of({data_of<float>("a", {1000}, std::vector<float>(1000, 3))});
  internal::onnx::write(model, folder / "x", {.most_bytes_inside = 4000});
  CHECK(folder.count() == 1);
}

TEST_CASE("a prototype determines the structure, and options what may be missing or extra") {
  Folder const folder;
  internal::onnx::write(net(), folder / "x");
  Net prototype;
  prototype.layers.resize(1);
  auto const load_it = [&](LoadOptions options) {
    return tenon::onnx::load(folder / "x", prototype, options);
  };
  CHECK_THROWS_AS(load_it({}), FileError);
  CHECK(load_it({.ignore_extra = true}).layers.size() == 1);
  prototype.layers.resize(3);
  CHECK_THROWS_AS(load_it({}), FileError);
  CHECK(load_it({.ignore_extra = true, .keep_missing = true}).layers.size() == 3);
}

TEST_CASE("a function gives the names of initialisers, and nothing is cast") {
  auto const other = model_of({data_of<float>("other", {2, 1}, {1, 2})});
  auto const name = [](std::string const&) { return "other"; };
  CHECK(message_of<One>(other, {.entry_name = name}) == "nothing");
  CHECK(message_of<One>(other, {.cast = true}) ==
        "tenon::onnx::load: 'cast': expected no such option, got it (x)");
}

TEST_CASE("initialisers that do not fit the tree throw, in the words of load") {
  CHECK(message_of<One>(model_of({})) ==
        "tenon::onnx::load: 'w': expected float32 \"in=2 out\", got no tensor of that name (x)");
  auto const w = data_of<float>("w", {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(message_of<One>(model_of({w})) == "nothing");
  CHECK(message_of<One>(model_of({w, data_of<std::int64_t>("shape", {1}, {1})})) ==
        "tenon::onnx::load: 'shape': expected no tensor of that name, got int64 \"1\" (x)");
  CHECK(message_of<One>(model_of({data_of<float>("w", {3, 2}, {1, 2, 3, 4, 5, 6})})) ==
        "tenon::onnx::load: 'w': expected float32 \"in=2 out\", got float32 \"3 2\" (x)");
  CHECK(message_of<One>(model_of({data_of<double>("w", {2, 1}, {1, 2})})) ==
        "tenon::onnx::load: 'w': expected float32 \"in=2 out\", got float64 \"2 1\" (x)");
  CHECK(message_of<One>(model_of({byte_data("w", {2, 1}, DataType{17}, {1, 2})})) ==
        "tenon::onnx::load: 'w': expected float32 \"in=2 out\", got FLOAT8E4M3FN \"2 1\" (x)");
}

TEST_CASE("names of axes in the metadata are compared with those of the tree") {
  Model model = model_of({data_of<float>("w", {2, 1}, {1, 2})});
  model.metadata["tenon.spec.w"] = "in=2 out";
  CHECK(message_of<One>(model) == "nothing");
  model.metadata["tenon.spec.w"] = "row column";
  CHECK(
      message_of<One>(model) ==
      "tenon::onnx::load: 'w': expected float32 \"in=2 out\", got float32 \"row=2 column=1\" (x)");
  CHECK(message_of<One>(model, {.ignore_axis_names = true}) == "nothing");
}

TEST_CASE("axes of one name in one struct must have one size") {
  struct Two {
    Float32<"n"> a, b;
  };
  std::string const words =
      message_of<Two>(model_of({data_of<float>("a", {1}, {1}), data_of<float>("b", {2}, {1, 2})}));
  CHECK(words.starts_with("tenon::onnx::load: 'b': expected "));
}

TEST_CASE("a bool byte other than 0 and 1 throws") {
  CHECK(message_of<Mask<"n">>(model_of({byte_data("value", {2}, DataType::boolean, {1, 2})})) ==
        "tenon::onnx::load: 'value': expected 0 or 1 for a bool, got the byte 2 (x)");
}

TEST_CASE("load_contents has the dtype and the axes of every initialiser") {
  Folder const folder;
  internal::onnx::write(net(), folder / "x");
  auto const contents = tenon::onnx::load_contents(folder / "x");
  CHECK(contents.size() == 9);
  CHECK(contents.at("layers.0.weight") == "float32 \"2 3\"");
  CHECK(contents.at("rate") == "float32 \"\"");
}

}  // namespace load_onnx_test
