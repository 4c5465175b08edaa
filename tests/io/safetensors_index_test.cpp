// Checkpoints of several files: an index as Hugging Face writes it.

#include <doctest/doctest.h>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

namespace safetensors_index_test {

using namespace tenon;

struct Layer {
  Float32<"in out"> weight;
  Float32<"out"> bias;
};

struct Model {
  std::vector<Layer> layers;
};

void write_parts(Folder const& folder) {
  tenon::safetensors::Writer()
      .add("layers.0.weight", ones<Float32<"in out">>(3, 2))
      .add("layers.1.bias", Float32<"out">{5, 6})
      .save(folder / "one.safetensors", {{"format", "pt"}});
  tenon::safetensors::Writer()
      .add("layers.1.weight", 2 * ones<Float32<"in out">>(2, 2))
      .add("layers.0.bias", Float32<"out">{7, 8})
      .save(folder / "two.safetensors", {{"format", "pt"}});
}

constexpr std::string_view good_map = R"({"layers.0.weight": "one.safetensors",
  "layers.0.bias": "two.safetensors", "layers.1.weight": "two.safetensors",
  "layers.1.bias": "one.safetensors"})";

void write_index(Folder const& folder, std::string_view map) {
  write_bytes(folder / "x.json",
              std::string(R"({"metadata": {"total_size": 64}, "weight_map": )").append(map) + "}");
}

TEST_CASE("a tree and single tensors are read from the files of an index") {
  Folder const folder;
  write_parts(folder);
  write_index(folder, good_map);
  auto const model = load<Model>(folder / "x.json");
  CHECK((model.layers.size() == 2 && model.layers[1].weight(1, 1) == 2));
  CHECK((model.layers[0].bias(1) == 8 && model.layers[1].bias(0) == 5));
  tenon::safetensors::File const file(folder / "x.json");
  CHECK(file.names().size() == 4);
  CHECK(file.view<Float32<"out">>("layers.0.bias")(0) == 7);
  CHECK(file.load<Float32<"out">>("layers.1.bias")(1) == 6);
  CHECK(file.metadata() == Metadata{{"format", "pt"}});
  CHECK(load_contents(folder / "x.json").at("layers.1.weight") == "float32 \"in=2 out=2\"");
  CHECK(load_metadata(folder / "x.json").at("format") == "pt");
}

#if !defined(_WIN32)  // where links need a right, and names have no control characters
TEST_CASE("a file of an index that is a link is in the folder of the index, or refused") {
  Folder const folder;
  write_parts(folder);
  write_index(folder, good_map);
  std::filesystem::create_directory(folder / "blobs");
  std::filesystem::rename(folder / "one.safetensors", folder / "blobs/one");
  std::filesystem::create_symlink("blobs/one", folder / "one.safetensors");
  CHECK(load<Model>(folder / "x.json").layers.size() == 2);
  Folder const other;
  std::filesystem::rename(folder / "blobs/one", other / "one");
  std::filesystem::remove(folder / "one.safetensors");
  std::filesystem::create_symlink(other / "one", folder / "one.safetensors");
  std::string const expected = "tenon::load: expected files in the folder of the index, got '";
  CHECK(words_of<FileError>([&] { load<Model>(folder / "x.json"); }) ==
        expected + "one.safetensors', a link to another (x.json)");
  std::filesystem::create_symlink(other / "one", folder / "a\x1b");
  write_index(folder, R"({"a": "a\u001b"})");
  CHECK(words_of<FileError>([&] { load<Model>(folder / "x.json"); }) ==
        expected + "a\\x1b', a link to another (x.json)");
  std::filesystem::remove(folder / "a\x1b");
  std::filesystem::copy_file(other / "one", folder / "a\x1b");
  CHECK(words_of<FileError>([&] { load<Model>(folder / "x.json"); }) ==
        "tenon::load: 'a': expected a tensor in a\\x1b, got none (x.json)");
}
#endif

struct Bad {
  std::string text;
  std::string_view words;
};

Bad const bad_maps[] = {
    {R"({"a": "one.safetensors"})", "'a': expected a tensor in one.safetensors, got none (x.json)"},
    {R"({"layers.0.weight": "one.safetensors"})",
     "'layers.1.bias': expected a file in the index, got a tensor in one.safetensors (x.json)"},
    {R"({"a": "three.safetensors"})",
     "expected a file that can be read, got No such file or directory (three.safetensors)"},
    {R"({"a": "../one.safetensors"})",
     "'weight_map.a': expected the name of a file in the folder of the index, got "
     "\"../one.safetensors\" (x.json)"},
    {R"({"a": "/etc/passwd"})",
     "'weight_map.a': expected the name of a file in the folder of the index, got "
     "\"/etc/passwd\" (x.json)"},
    {R"({"a": "..\\one"})",
     "'weight_map.a': expected the name of a file in the folder of the index, got \"..\\one\" "
     "(x.json)"},
    {R"({"a": "C:one"})",
     "'weight_map.a': expected the name of a file in the folder of the index, got \"C:one\" "
     "(x.json)"},
    {R"({"a": "one\u0000"})",
     "'weight_map.a': expected the name of a file in the folder of the index, got \"one\\x00\" "
     "(x.json)"},
    {R"({"a": ""})",
     "'weight_map.a': expected the name of a file in the folder of the index, got \"\" (x.json)"},
    {R"({"a": "."})",
     "'weight_map.a': expected the name of a file in the folder of the index, got \".\" (x.json)"},
    {R"({"a": ".."})",
     "'weight_map.a': expected the name of a file in the folder of the index, got \"..\" (x.json)"},
    {R"({"a": 1})", "'weight_map.a': expected a string, got 1 (x.json)"},
    {R"({"a": null})", "'weight_map.a': expected a string, got null (x.json)"},
    {R"({"a": ["one.safetensors"]})", "'weight_map.a': expected a string, got an array (x.json)"},
    {R"([])", "'weight_map': expected an object, got an array (x.json)"},
    {R"("one.safetensors")", "'weight_map': expected an object, got \"one.safetensors\" (x.json)"},
    {R"(null)", "'weight_map': expected a value, got none (x.json)"},
    {R"({"a": "one.safetensors", "a": "two.safetensors"})",
     "expected every name once, got 'a' again (x.json, byte 76 of the file)"},
    {R"({"a": "x.json"})",
     "expected a header of at most 100000000 bytes, got 7017841271895827067 bytes (x.json)"},
};

TEST_CASE("a malformed index throws") {
  for (Bad const& bad : bad_maps) {
    Folder const folder;
    write_parts(folder);
    write_index(folder, bad.text);
    CHECK(words_of<FileError>([&] { load<Model>(folder / "x.json"); }) ==
          std::string("tenon::load: ").append(bad.words));
  }
}

Bad const bad_texts[] = {
    {"", "expected a value, got the end of the file (x.json, byte 0 of the file)"},
    {"{}", "'weight_map': expected a value, got none (x.json)"},
    {"[]", "expected an object, got an array (x.json)"},
    {"1", "expected an object, got 1 (x.json)"},
    {"{\"weight_map\": {}} x", "expected nothing more, got 'x' (x.json, byte 19 of the file)"},
    {"{\"weight_map\": nul}", "expected null, got 'n' (x.json, byte 15 of the file)"},
    {"{\"weight_map\": -}", "expected a number, got '}' (x.json, byte 16 of the file)"},
    {"{\"weight_map\": 01}",
     "expected a number without leading zeros, got '0' (x.json, byte 15 of the file)"},
    {"{\"weight_map\": 1.}", "expected a number, got '}' (x.json, byte 17 of the file)"},
    {"{\"weight_map\": 1e}", "expected a number, got '}' (x.json, byte 17 of the file)"},
    {"{\"weight_map\": NaN}", "expected a value, got 'N' (x.json, byte 15 of the file)"},
    {"{\"weight_map\": {}",
     "expected ',' or '}', got the end of the file (x.json, byte 17 of the "
     "file)"},
    {std::string(100000, '['),
     "expected at most 64 nested values, got more (x.json, byte 64 of "
     "the file)"},
    {"\xff", "expected a text of UTF-8, got other bytes (x.json, byte 0)"},
};

TEST_CASE("an index that is not JSON, or another one, throws") {
  for (Bad const& bad : bad_texts) {
    Folder const folder;
    write_bytes(folder / "x.json", bad.text);
    CHECK(words_of<FileError>([&] { load<Model>(folder / "x.json"); }) ==
          std::string("tenon::load: ").append(bad.words));
  }
}

}  // namespace safetensors_index_test
