// The part of onnx_reference.py in C++, called with a folder in TENON_REFERENCE.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/io/onnx/check.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/io/onnx/write.hpp>

namespace reference_onnx_test {

using namespace tenon;
using namespace tenon::internal::onnx;

namespace {

std::filesystem::path reference_folder() {
  char const* const folder = std::getenv("TENON_REFERENCE");
  REQUIRE(folder != nullptr);
  return folder;
}

/// Bytes that both sides compute: 37 i + 11; bools are 0 and 1.
TensorData filled(std::string name, DataType dtype, std::vector<std::int64_t> dims,
                  std::size_t bytes) {
  auto const owner = std::make_shared<std::vector<std::byte>>(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    (*owner)[i] = std::byte(dtype == DataType::boolean ? i % 3 == 0 : (i * 37 + 11) % 256);
  return {std::move(name), dtype, std::move(dims), {*owner, owner}};
}

TensorData numbers(std::string name, std::vector<std::int64_t> dims, std::vector<float> elements) {
  auto const owner = std::make_shared<std::vector<float> const>(std::move(elements));
  return {std::move(name),
          DataType::float32,
          std::move(dims),
          {std::as_bytes(std::span(*owner)), owner}};
}

Model empty_model() {
  Model model;
  model.opset_imports = {{"", 17}};
  model.producer_name = "tenon";
  model.producer_version = "1";
  model.domain = "org.example";
  model.model_version = 3;
  model.doc = "ä";
  model.metadata = {{"note", "ä\"\\\n"}, {"key", ""}};
  model.graph.name = "g";
  return model;
}

/// `y = Relu(x w + b)`, with a run-time size.
Model dense() {
  Model model = empty_model();
  Graph& graph = model.graph;
  graph.inputs = {{"x", DataType::float32, {{"batch", 2}}}};
  graph.outputs = {{"y", DataType::float32, {{"batch", 3}}}};
  graph.value_info = {{"xw", DataType::float32, {{"batch", 3}}}};
  graph.initializers = {numbers("w", {2, 3}, {1, 2, 3, 4, 5, 6}),
                        numbers("b", {3}, {-100, 0, 100})};
  graph.nodes = {{"MatMul", {"x", "w"}, {"xw"}, {}, "", "product"},
                 {"Add", {"xw", "b"}, {"sum"}},
                 {"Relu", {"sum"}, {"y"}, {}, "", "", "", "positive part"}};
  return model;
}

/// Every dtype as an initialiser, and no node.
Model every_dtype() {
  Model model = empty_model();
  model.ir_version = 14;
  model.opset_imports = {{"", 25}};
  for (FileDtype const& dtype : file_dtypes) {
    std::string const name(dtype.name);
    auto const bytes = static_cast<std::size_t>(12 * dtype.bits / 8);
    if (dtype.code != DataType::string)
      model.graph.initializers.push_back(filled(name, dtype.code, {3, 4}, bytes));
  }
  model.graph.initializers.push_back(
      {.name = "STRING", .dtype = DataType::string, .dims = {2}, .strings = {"ä", ""}});
  model.graph.initializers.push_back(filled("scalar", DataType::float64, {}, 8));
  model.graph.initializers.push_back(filled("empty", DataType::float32, {0, 5}, 0));
  return model;
}

std::shared_ptr<Graph const> branch(std::string const& op) {
  auto const graph = std::make_shared<Graph>();
  graph->name = op;
  graph->nodes = {{op, {"x"}, {"of_" + op}}};
  graph->outputs = {{"of_" + op, DataType::float32, {{2}}}};
  return graph;
}

/// Attributes of every kind, of an operator that only this file knows.
Model every_attribute() {
  Model model = empty_model();
  model.opset_imports.push_back({"own", 1});
  Graph& graph = model.graph;
  graph.inputs = {{"x", DataType::float32, {{2}}}};
  graph.outputs = {{"y", DataType::float32, {{2}}}};
  TensorData const tensor = filled("t", DataType::float32, {2}, 8);
  graph.nodes = {{"Own",
                  {"x", ""},
                  {"y"},
                  {{"f", 0.5f},
                   {"zero", std::int64_t{0}},
                   {"i", std::int64_t{-7}},
                   {"s", "text"},
                   {"t", tensor},
                   {"g", branch("Neg")},
                   {"floats", std::vector{1.0f, -2.5f}},
                   {"ints", std::vector<std::int64_t>{1, -1, std::int64_t{1} << 62}},
                   {"none", std::vector<std::int64_t>{}},
                   {"strings", std::vector<std::string>{"a", ""}},
                   {"tensors", std::vector{tensor, tensor}},
                   {"graphs", std::vector{branch("Neg"), branch("Abs")}, {}, {}, "two"}},
                  "own"}};
  graph.nodes[0].metadata = {{"k", "v"}};
  return model;
}

/// `y = If(c, Neg(x), Abs(x))`.
Model branches() {
  Model model = empty_model();
  Graph& graph = model.graph;
  graph.inputs = {{"c", DataType::boolean, std::vector<Dimension>{}},
                  {"x", DataType::float32, {{2}}}};
  graph.outputs = {{"y", DataType::float32, {{2}}}};
  graph.nodes = {
      {"If", {"c"}, {"y"}, {{"then_branch", branch("Neg")}, {"else_branch", branch("Abs")}}}};
  return model;
}

/// `y = Scaled(x)`: a call of the function `LeakyRelu(x) + x`, with the slope as an attribute.
Model calls() {
  Model model = empty_model();
  model.opset_imports.push_back({"own", 1});
  model.graph.inputs = {{"x", DataType::float32, {{2}}}};
  model.graph.outputs = {{"y", DataType::float32, {{2}}}};
  model.graph.nodes = {{"Scaled", {"x"}, {"y"}, {{"slope", 0.5f}}, "own"}};
  Attribute const slope{.name = "alpha", .reference = "slope", .type = AttributeType::float_};
  model.functions = {{.name = "Scaled",
                      .domain = "own",
                      .inputs = {"a"},
                      .outputs = {"b"},
                      .attributes = {"slope"},
                      .nodes = {{"LeakyRelu", {"a"}, {"l"}, {slope}}, {"Add", {"l", "a"}, {"b"}}},
                      .opset_imports = {{"", 17}},
                      .doc = "a doc"}};
  return model;
}

void write_checked(Model const& model, std::string const& name, WriteOptions options = {}) {
  check(model);
  write(model, reference_folder() / name, options);
}

}  // namespace

TEST_CASE("for the reference: models are written" * doctest::skip()) {
  write_checked(dense(), "dense.onnx");
  write_checked(every_dtype(), "every_dtype.onnx");
  write_checked(every_attribute(), "every_attribute.onnx");
  write_checked(branches(), "branches.onnx");
  write_checked(calls(), "calls.onnx");
  Model large = dense();
  std::vector<float> rows(600);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i % 7);
  large.graph.initializers[0] = numbers("w", {2, 300}, rows);
  large.graph.initializers[1] = numbers("b", {300}, std::vector<float>(300, -3));
  large.graph.outputs[0].dims->at(1) = 300;
  large.graph.value_info[0].dims->at(1) = 300;
  write_checked(large, "outside.onnx", {.most_bytes_inside = 100});
}

TEST_CASE("for the reference: models are read and written again" * doctest::skip()) {
  auto const folder = reference_folder();
  for (auto const& file : std::filesystem::directory_iterator(folder / "in")) {
    if (file.path().extension() != ".onnx") continue;
    CAPTURE(file.path().string());
    write(read(file.path()), folder / "out" / file.path().filename());
  }
}

TEST_CASE("for the reference: damaged files are distinguished from good ones" * doctest::skip()) {
  std::ofstream good(reference_folder() / "good.txt");
  for (auto const& file : std::filesystem::directory_iterator(reference_folder() / "damaged")) {
    try {
      read(file.path());
      good << file.path().filename().string() << "\n";
    } catch (FileError const&) {
    }
  }
}

}  // namespace reference_onnx_test
