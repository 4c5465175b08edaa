// The structure of a model.

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "../folder.hpp"

#include <tenon/core/error.hpp>
#include <tenon/io/onnx/check.hpp>

namespace check_onnx_test {

using namespace tenon;
using namespace tenon::internal::onnx;

namespace {

/// `y = Relu(x + w)`, an If with graphs that use `y`, and a call of a function.
Model good() {
  Model model;
  model.opset_imports = {{"", 17}, {"own", 1}};
  Graph& graph = model.graph;
  graph.name = "g";
  graph.inputs = {{"x", DataType::float32}, {"c", DataType::boolean}};
  graph.initializers = {{.name = "w", .dtype = DataType::float32}};
  auto const branch = std::make_shared<Graph>();
  branch->nodes = {{"Neg", {"y"}, {"inner"}}};
  branch->outputs = {{"inner", DataType::float32}};
  graph.nodes = {
      {"Add", {"x", "w"}, {"s"}, {}, "", "first"},
      {"Relu", {"s"}, {"y"}},
      {"If", {"c"}, {"z"}, {{"then_branch", std::shared_ptr<Graph const>(branch)}}},
      {"Twice", {"z"}, {"end"}, {}, "own"},
  };
  graph.outputs = {{"end", DataType::float32}};
  model.functions = {{.name = "Twice",
                      .domain = "own",
                      .inputs = {"a"},
                      .outputs = {"b"},
                      .nodes = {{"Add", {"a", "a"}, {"b"}}},
                      .opset_imports = {{"", 17}}}};
  return model;
}

/// The message for the model with a change, without "tenon::onnx::save: ".
std::string message_of(std::function<void(Model&)> const& change) {
  Model model = good();
  change(model);
  std::string words = words_of<ValueError>([&] { check(model); });
  return words == "nothing" ? words : words.substr(std::string("tenon::onnx::save: ").size());
}

}  // namespace

TEST_CASE("a model of graphs in graphs and functions passes") {
  CHECK(message_of([](Model&) {}) == "nothing");
  CHECK(message_of([](Model& m) { m.graph.nodes[1].inputs.push_back(""); }) == "nothing");
  CHECK(message_of([](Model& m) {
          m.graph.inputs[0].name = "w", m.graph.nodes[0].inputs[0] = "w";
        }) == "nothing");
  CHECK(message_of([](Model& m) { m.graph.nodes[0].domain = "ai.onnx"; }) == "nothing");
}

TEST_CASE("the IR version and the opset imports are checked") {
  CHECK(message_of([](Model& m) { m.ir_version = 2; }) ==
        "expected an IR version from 3 to 14, got 2");
  CHECK(message_of([](Model& m) { m.ir_version = 15; }) ==
        "expected an IR version from 3 to 14, got 15");
  CHECK(message_of([](Model& m) { m.opset_imports.pop_back(); }) ==
        "'Twice': expected an opset import of own, got none");
  CHECK(message_of([](Model& m) {
          m.opset_imports.push_back({"ai.onnx", 18});
        }) == "'ai.onnx': expected one opset import of a domain, got this name again");
  CHECK(message_of([](Model& m) { m.opset_imports[1].version = 0; }) ==
        "'own': expected an opset version of at least 1, got 0");
  CHECK(message_of([](Model& m) { m.functions[0].opset_imports.clear(); }) ==
        "'Add': expected an opset import of ai.onnx, got none");
}

TEST_CASE("a value is defined before it is used") {
  CHECK(message_of([](Model& m) { std::swap(m.graph.nodes[0], m.graph.nodes[1]); }) ==
        "'s': expected a value that is defined before Relu, got none");
  CHECK(message_of([](Model& m) { m.graph.initializers.clear(); }) ==
        "'w': expected a value that is defined before Add, got none");
  CHECK(message_of([](Model& m) { m.graph.outputs[0].name = "inner"; }) ==
        "'inner': expected a value that is defined before the outputs, got none");
  CHECK(message_of([](Model& m) { std::swap(m.graph.nodes[1], m.graph.nodes[2]); }) ==
        "'y': expected a value that is defined before Neg, got none");
  CHECK(message_of([](Model& m) { m.functions[0].nodes[0].inputs[1] = "w"; }) ==
        "'w': expected a value that is defined before Add, got none");
  CHECK(message_of([](Model& m) { m.functions[0].outputs.push_back("c"); }) ==
        "'c': expected a value that is defined before the outputs, got none");
}

TEST_CASE("a value is defined once") {
  CHECK(message_of([](Model& m) { m.graph.nodes[1].outputs[0] = "x"; }) ==
        "'x': expected a value that is defined once, got it again");
  CHECK(message_of([](Model& m) {
          m.graph.nodes[0].outputs = {"s", "s"};
        }) == "'s': expected a value that is defined once, got it again");
  CHECK(message_of([](Model& m) { m.graph.nodes[1].outputs[0] = "inner"; }) ==
        "'y': expected a value that is defined before Neg, got none");
  CHECK(message_of([](Model& m) {
          m.graph.nodes[1].outputs = {"y", "inner"};
        }) == "'inner': expected a value that is defined once, got it again");
  CHECK(message_of([](Model& m) { m.graph.inputs.push_back(m.graph.inputs[0]); }) ==
        "'x': expected inputs of unique names, got this name again");
  CHECK(message_of([](Model& m) { m.graph.initializers.push_back(m.graph.initializers[0]); }) ==
        "'w': expected initialisers of unique names, got this name again");
  CHECK(message_of([](Model& m) { m.graph.inputs[0].name = ""; }) ==
        "expected inputs of unique names, got an empty name");
}

TEST_CASE("names of nodes, attributes and functions are unique") {
  CHECK(message_of([](Model& m) { m.graph.nodes[1].name = "first"; }) ==
        "'first': expected nodes of unique names, got this name again");
  CHECK(message_of([](Model& m) {
          auto& list = m.graph.nodes[2].attributes;
          list.push_back({"then_branch", 1.0f});
        }) == "'then_branch': expected attributes of unique names, got this name again");
  CHECK(message_of([](Model& m) { m.functions.push_back(m.functions[0]); }) ==
        "'Twice': expected functions of different names, got this name again");
  CHECK(message_of([](Model& m) { m.graph.nodes[0].op_type = ""; }) ==
        "'first': expected the type of an operator, got none");
}

TEST_CASE("an attribute refers to another inside functions only") {
  Attribute const reference{.name = "alpha", .reference = "beta", .type = AttributeType::float_};
  CHECK(message_of([&](Model& m) { m.functions[0].nodes[0].attributes = {reference}; }) ==
        "nothing");
  CHECK(message_of([&](Model& m) { m.graph.nodes[0].attributes = {reference}; }) ==
        "'alpha': expected a value outside of functions, got a reference to 'beta'");
}

}  // namespace check_onnx_test
