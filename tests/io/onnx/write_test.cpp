// The bytes of a model, and models that cannot be written.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../folder.hpp"
#include "message.hpp"

#include <tenon/core/error.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/io/onnx/write.hpp>

namespace write_onnx_test {

using namespace tenon;
using namespace tenon::internal::onnx;

namespace {

std::array<std::byte, 4> const four_bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};

TensorData four() { return {"w", DataType::uint8, {4}, {four_bytes}}; }

std::string message_of(Model const& model) {
  Folder const folder;
  std::string const words = words_of<Error>([&] { write(model, folder / "x"); });
  CHECK(folder.count() == (words == "nothing" ? 1 : 0));
  return words;
}

Model with(Attribute attribute) {
  Model model;
  model.graph.nodes = {{"Op", {}, {"y"}, {std::move(attribute)}}};
  return model;
}

}  // namespace

TEST_CASE("a model is written as the messages of onnx.proto3") {
  Folder const folder;
  Model model;
  model.opset_imports = {{"", 17}};
  model.graph.name = "g";
  model.graph.nodes = {{"Relu", {"w"}, {"y"}, {{"a", std::int64_t{-1}}}}};
  model.graph.initializers = {four()};
  model.graph.outputs = {{"y", DataType::uint8, {{std::int64_t{0}, "n"}}}};
  write(model, folder / "x");
  std::string const attribute = bytes(1, "a") + integer(3, ~std::uint64_t{0}) + integer(20, 2);
  std::string const node = bytes(1, "w") + bytes(2, "y") + bytes(4, "Relu") + bytes(5, attribute);
  std::string const weight = integer(1, 4) + integer(2, 2) + bytes(8, "w") + bytes(9, "\1\2\3\4");
  std::string const dims = bytes(1, integer(1, 0)) + bytes(1, bytes(2, "n"));
  std::string const output = bytes(1, "y") + bytes(2, bytes(1, integer(1, 2) + bytes(2, dims)));
  CHECK(read_bytes(folder / "x") ==
        integer(1, 8) +
            bytes(7, bytes(1, node) + bytes(2, "g") + bytes(5, weight) + bytes(12, output)) +
            bytes(8, bytes(1, "") + integer(2, 17)));
}

TEST_CASE("the sizes of messages are those of long varints too") {
  Folder const folder;
  Model model;
  model.doc = std::string(70'000, 'd');
  model.graph.doc = std::string(200, 'g');
  model.graph.name = std::string(20'000, 'n');
  write(model, folder / "x");
  Model const found = read(folder / "x");
  CHECK(found.doc == model.doc);
  CHECK(found.graph.doc == model.graph.doc);
  CHECK(found.graph.name == model.graph.name);
}

TEST_CASE("elements that do not fill their tensor are not written") {
  Model model;
  model.graph.initializers = {four()};
  CHECK(message_of(model) == "nothing");
  model.graph.initializers[0].dims = {5};
  CHECK(message_of(model) ==
        "tenon::onnx::save: 'w': expected 5 bytes for its shape, got 4 bytes (x)");
  model.graph.initializers[0].dims = {-1};
  CHECK(message_of(model) ==
        "tenon::onnx::save: 'w': expected a shape of less than 2^60 bytes, got another (x)");
  model.graph.initializers[0].dtype = DataType::undefined;
  CHECK(message_of(model) == "tenon::onnx::save: 'w': expected a dtype of ONNX, got 0 (x)");
  model.graph.initializers = {{.name = "s", .dtype = DataType::string, .dims = {2}}};
  CHECK(message_of(model) ==
        "tenon::onnx::save: 's': expected 2 strings for its shape, got 0 strings (x)");
}

TEST_CASE("a text that is not UTF-8 is not written, but may be the value of an attribute") {
  Model model;
  model.graph.name = "ab\xff";
  CHECK(message_of(model) ==
        "tenon::onnx::save: 'ab': expected a text of UTF-8, got other bytes (x)");
  CHECK(message_of(with({"a", "\xff"})) == "nothing");
}

TEST_CASE("an attribute without a value is not written, unless it is a reference") {
  CHECK(message_of(with({"a"})) == "tenon::onnx::save: 'a': expected a value, got none (x)");
  CHECK(message_of(with({"a", std::shared_ptr<Graph const>()})) ==
        "tenon::onnx::save: expected a graph, got none (x)");
  CHECK(message_of(with({.name = "a", .reference = "b", .type = AttributeType::float_})) ==
        "nothing");
}

TEST_CASE("a model of 2 GiB is refused before anything is written") {
  Model model;
  std::int64_t const size = (std::int64_t{1} << 31) - 20;
  // The elements are not read.
  model.graph.nodes = {
      {"Constant",
       {},
       {"y"},
       {{"value", TensorData{"",
                             DataType::uint8,
                             {size},
                             {{four_bytes.data(), static_cast<std::size_t>(size)}}}}}}};
  CHECK(message_of(model) ==
        "tenon::onnx::save: expected a model of less than 2 GiB, got 2147483691 bytes (x)");
}

}  // namespace write_onnx_test
