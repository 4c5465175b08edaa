// Malformed models: each is a clear error.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "../folder.hpp"
#include "malformed_tensors.hpp"

#include <tenon/io/onnx/decode.hpp>

namespace malformed_onnx_test {

using namespace tenon;

namespace {

/// The message of reading the file `x`, without "tenon::onnx::load: " and the name of a file.
std::string message_of(std::filesystem::path const& path,
                       internal::onnx::ReadOptions options = {}) {
  std::string words = words_of<FileError>([&] { internal::onnx::read(path, options); });
  std::string_view const start = "tenon::onnx::load: ";
  REQUIRE(words.starts_with(start));
  words.erase(0, start.size());
  return words.substr(0, words.rfind(" ("));
}

void check_all(auto const& files) {
  Folder const folder;
  write_bytes(folder / "data", "12345678");
  std::filesystem::create_directory(folder / "folder");
  for (Malformed const& file : files) {
    write_bytes(folder / "x", file.bytes);
    CHECK(message_of(folder / "x") == file.words);
  }
}

std::string model_bytes() {
  std::string const node = bytes(1, "x") + bytes(2, "y") + bytes(4, "Relu") +
                           bytes(5, bytes(1, "a") + integer(3, 7) + integer(20, 2));
  std::string const type = bytes(1, integer(1, 1) + bytes(2, bytes(1, bytes(2, "n"))));
  return integer(1, 8) + bytes(2, "tenon") +
         graph(bytes(1, node) + bytes(2, "g") +
               tensor_fields(1, packed(1, {1, 2}) + bytes(9, "12345678")) +
               bytes(11, bytes(1, "x") + bytes(2, type))) +
         bytes(8, bytes(1, "") + integer(2, 17)) + property(14, "key", "text");
}

}  // namespace

TEST_CASE("a file that is no message of protobuf throws") { check_all(not_protobuf); }

TEST_CASE("a field of another wire type throws") { check_all(of_wrong_wire_type); }

TEST_CASE("attributes, metadata and names that contradict each other throw") {
  check_all(of_wrong_contents);
}

TEST_CASE("a tensor whose elements are not those of its dtype and shape throws") {
  check_all(malformed_tensors);
}

TEST_CASE("external data outside the folder or its file throw") { check_all(malformed_external); }

TEST_CASE("the error for a malformed message has the position") {
  Folder const folder;
  write_bytes(folder / "x", bytes(2, "tenon") + tag(1, 3));
  CHECK(words_of<FileError>([&] { internal::onnx::read(folder / "x"); }) ==
        "tenon::onnx::load: expected a wire type 0, 1, 2 or 5, got 3 (x, byte 7)");
}

TEST_CASE("messages that would occupy more memory than allowed throw") {
  Folder const folder;
  std::string const nodes = graph(times(1000, bytes(1, "")));
  write_bytes(folder / "x", nodes);
  CHECK(message_of(folder / "x", {.most_extra_memory = 100'000}) ==
        "expected a model that fits in the memory allowed for it, got more");
  CHECK(internal::onnx::read(folder / "x").graph.nodes.size() == 1000);
  write_bytes(folder / "x", tensor(7, integer(1, 1000) + bytes(7, std::string(1000, '\1'))));
  CHECK(message_of(folder / "x", {.most_extra_memory = 5000}) ==
        "expected a model that fits in the memory allowed for it, got more");
  CHECK(internal::onnx::read(folder / "x").graph.initializers.size() == 1);
}

TEST_CASE("every truncation of a model, and every change of a byte, gives an error or a model") {
  Folder const folder;
  std::string const good = model_bytes();
  write_bytes(folder / "x", good);
  CHECK(internal::onnx::read(folder / "x").graph.nodes.at(0).op_type == "Relu");
  auto const read_it = [&](std::string const& content) {
    write_bytes(folder / "x", content);
    std::string const words = words_of<FileError>([&] { internal::onnx::read(folder / "x"); });
    CHECK((words == "nothing" || words.starts_with("tenon::onnx::load: ")));
  };
  for (std::size_t size = 0; size < good.size(); ++size) read_it(good.substr(0, size));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int const byte : {0, 1, 2, 8, 11, 18, 127, 128, 255}) {
      std::string changed = good;
      changed[at] = static_cast<char>(byte);
      read_it(changed);
    }
  }
}

TEST_CASE("control characters in names from a file are escaped in messages") {
  Folder const folder;
  write_bytes(folder / "x", graph(bytes(5, integer(2, 1) + bytes(8, "\x1b[31m"))));
  CHECK(message_of(folder / "x") == "'\\x1b[31m': expected 4 bytes for its shape, got 0 bytes");
}

TEST_CASE("a path that is not a file cannot be read") {
  Folder const folder;
  CHECK(message_of(folder / "x") ==
        "expected a file that can be read, got No such file or directory");
  std::filesystem::create_directory(folder / "x");
  CHECK(message_of(folder / "x") == "expected a file, got a directory");
}

}  // namespace malformed_onnx_test
