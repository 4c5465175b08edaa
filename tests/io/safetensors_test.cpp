// Saving and loading of trees.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "filled.hpp"
#include "folder.hpp"

#include <tenon/io/safetensors.hpp>

namespace safetensors_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Layer {
  Float32<"in=3 out=2"> weight;
  Float32<"out=2"> bias;
};

struct Attention {
  Layer query, key;
};

struct Transformer {
  std::vector<Attention> blocks;
  std::array<Layer, 2> heads;
  Frozen<Float32<"position model=2">> positions;
  std::optional<Layer> last;
  std::tuple<Float32<"">, Int32<"n=2">> pair;
  float rate = 0;
  std::int64_t step = 0;
  std::string comment = "of the program";
};

Transformer example() {
  Transformer model;
  model.blocks.resize(11);
  model.blocks[10].key.weight = filled<Float32<"in=3 out=2">>({3, 2, 1, 1, 1, 1, 1, 1});
  model.heads[1].bias = {1, 2};
  model.positions = Float32<"position model=2">{{1, 2}, {3, 4}, {5, 6}};
  model.last = Layer{};
  model.last->bias(1) = 7;
  std::get<0>(model.pair) = 8;
  std::get<1>(model.pair)(1) = 9;
  model.rate = 0.125f;
  model.step = 1000;
  return model;
}

}  // namespace

TEST_CASE("a nested tree is loaded by the names of its fields") {
  Folder const folder;
  Transformer const model = example();
  save(folder / "t.safetensors", model);
  auto const contents = load_contents(folder / "t.safetensors");
  CHECK(contents.at("blocks.10.key.weight") == "float32 \"in=3 out=2\"");
  CHECK(contents.at("positions") == "float32 \"position=3 model=2\"");
  CHECK(contents.at("last.bias") == "float32 \"out=2\"");
  CHECK(contents.at("pair.1") == "int32 \"n=2\"");
  CHECK(contents.at("rate") == "float32 \"\"");
  CHECK(contents.size() == 11 * 4 + 4 + 1 + 2 + 2 + 2);

  auto const back = load<Transformer>(folder / "t.safetensors");
  CHECK(back.blocks.size() == 11);
  CHECK(same_bits(back.blocks[10].key.weight, model.blocks[10].key.weight));
  CHECK(back.heads[1].bias(1) == 2);
  CHECK((*back.positions)(2, 1) == 6);
  CHECK(back.last->bias(1) == 7);
  CHECK(std::get<0>(back.pair)() == 8);
  CHECK(std::get<1>(back.pair)(1) == 9);
  CHECK(back.rate == 0.125f);
  CHECK(back.step == 1000);
}

TEST_CASE("an optional without a value is not stored, and is loaded without one") {
  Folder const folder;
  Transformer model = example();
  model.last.reset();
  save(folder / "t.safetensors", model);
  CHECK_FALSE(load_contents(folder / "t.safetensors").contains("last.bias"));
  CHECK_FALSE(load<Transformer>(folder / "t.safetensors").last.has_value());
}

TEST_CASE("a prototype determines the structure and the leaves that are not in files") {
  Folder const folder;
  save(folder / "t.safetensors", example());
  Transformer prototype;
  prototype.blocks.resize(11);
  prototype.last = Layer{};
  prototype.comment = "mine";
  auto const back = load(folder / "t.safetensors", prototype);
  CHECK(back.comment == "mine");
  CHECK(back.step == 1000);
  prototype.blocks.resize(12);
  CHECK(words_of<FileError>([&] { load(folder / "t.safetensors", prototype); }) ==
        "tenon::load: 'blocks.11.query.weight': expected float32 \"in=3 out=2\", "
        "got no tensor of that name (t.safetensors)");
  prototype.blocks.resize(10);
  CHECK(words_of<FileError>([&] { load(folder / "t.safetensors", prototype); }) ==
        "tenon::load: 'blocks.10.key.bias': expected no tensor of that name, "
        "got float32 \"out=2\" (t.safetensors)");
}

TEST_CASE("metadata are loaded, without the specs that Tenon adds") {
  Folder const folder;
  Metadata const metadata{{"format", "pt"}, {"note", "\"quoted\" \\ \n\t\x01 äöü 𝄞"}, {"", ""}};
  save(folder / "x.safetensors", Float32<"n=1">{1}, metadata);
  CHECK(load_metadata(folder / "x.safetensors") == metadata);
  CHECK(load_metadata(folder / "x.safetensors").size() == 3);
}

TEST_CASE("metadata that would make a file unreadable throw") {
  Folder const folder;
  auto const saving = [&](Metadata const& metadata) {
    return words_of<ValueError>([&] { save(folder / "x", Float32<"n=1">{1}, metadata); });
  };
  CHECK(saving({{"a", "\xff"}}) ==
        "tenon::save: 'a': expected a text of UTF-8, got other bytes (x)");
  CHECK(saving({{"\xff", "a"}}) ==
        "tenon::save: 'metadata': expected names of UTF-8, got other bytes (x)");
  CHECK(saving({{"tenon.spec.weight", "a"}}) ==
        "tenon::save: 'tenon.spec.weight': expected a name that Tenon does not use itself, "
        "got tenon.spec (x)");
  CHECK(folder.count() == 0);
}

TEST_CASE("a field with the name of the metadata is refused") {
  struct Named {
    Float32<"n=1"> __metadata__;
  };
  Folder const folder;
  CHECK(words_of<ValueError>([&] { save(folder / "x", Named{}); }) ==
        "tenon::save: '__metadata__': expected a field of another name, "
        "got the name of the metadata (x)");
  CHECK(folder.count() == 0);
}

TEST_CASE("every tensor is aligned to the size of its elements") {
  struct Mixed {
    Mask<"n=3"> mask;
    Float64<"n=1"> wide;
    Int16<"n=1"> narrow;
    Float32<"n=1"> middle;
  };
  Folder const folder;
  save(folder / "m.safetensors", Mixed{});
  InputFile const file(folder / "m.safetensors");
  auto const header = tenon::internal::safetensors::read_header(file);
  CHECK(header.data_at % 8 == 0);
  CHECK(header.entries.at("wide").begin == 0);
  CHECK(header.entries.at("middle").begin == 8);
  CHECK(header.entries.at("narrow").begin == 12);
  CHECK(header.entries.at("mask").begin == 14);
}

TEST_CASE("equal trees give equal files") {
  Folder const folder;
  save(folder / "a", example());
  save(folder / "b", example());
  CHECK(read_bytes(folder / "a") == read_bytes(folder / "b"));
}

TEST_CASE("a handwritten file, in any order and spacing, can be read") {
  Folder const folder;
  write_file(folder / "x",
             "\n { \"b\\u0069as\" : {\"data_offsets\":[24,32], \"shape\":[ 2 ],\"dtype\":\"F32\"},"
             "\"weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]} } \t\r\n",
             std::string(26, '\0') + std::string("\x80\x3f\0\0\0\x40", 6));
  auto const linear = load<Layer>(folder / "x");
  CHECK(linear.weight(0, 0) == 0);
  CHECK(linear.bias(0) == 1);
  CHECK(linear.bias(1) == 2);
}

TEST_CASE("tensors that the tree does not have are an error, unless ignored") {
  Folder const folder;
  save(folder / "t.safetensors", example());
  struct Part {
    float rate = 0;
  };
  CHECK(load<Part>(folder / "t.safetensors", {.ignore_extra = true}).rate == 0.125f);
  CHECK(words_of<FileError>([&] { load<Part>(folder / "t.safetensors"); }) ==
        "tenon::load: 'blocks.0.key.bias': expected no tensor of that name, "
        "got float32 \"out=2\" (t.safetensors)");
}

TEST_CASE("leaves that the file lacks are an error, unless kept") {
  struct Grown {
    float rate = 1;
    Float32<"n=2"> fresh{3, 4};
    float const factor = 5;
  };
  struct Small {
    float rate = 0.5f;
    float factor = 6;
  };
  Folder const folder;
  save(folder / "s", Small{});
  auto const grown = load<Grown>(folder / "s", {.keep_missing = true});
  CHECK(grown.rate == 0.5f);
  CHECK(grown.fresh(1) == 4);
  CHECK(grown.factor == 6);
  CHECK(words_of<FileError>([&] { load<Grown>(folder / "s"); }) ==
        "tenon::load: 'fresh': expected float32 \"n=2\", got no tensor of that name (s)");
}

TEST_CASE("every escape sequence of JSON is read") {
  Folder const folder;
  write_file(folder / "x",
             R"({"__metadata__":{"\u00e4\ud834\uDD1E":"\"\\\/\b\f\n\r\t\u0041\u20ac"}})", "");
  CHECK(load_metadata(folder / "x") == Metadata{{"ä𝄞", "\"\\/\b\f\n\r\tA€"}});
}

TEST_CASE("8-bit floats are saved as F8_E4M3 and F8_E5M2, and cast when loaded") {
  Folder const folder;
  save(folder / "x", Float8E4M3FN<"n=3">{0.3f, 1.5f, -448});
  auto const same = load<Float8E4M3FN<"n=3">>(folder / "x");
  CHECK(same(0).bits == 0x2a);
  CHECK(same(2).bits == 0xfe);
  CHECK(load_contents(folder / "x").at("value") == "float8_e4m3fn \"n=3\"");
  CHECK(load<Float32<"n=3">>(folder / "x", {.cast = true})(0) == 0.3125f);
  CHECK(load<Float8E5M2<"n=3">>(folder / "x", {.cast = true})(2).bits == 0xdf);
  CHECK_THROWS_AS(load<Float32<"n=3">>(folder / "x"), Error);
  save(folder / "y", Float8E5M2<"1">{-0.25f});
  CHECK(load<Float8E5M2<"1">>(folder / "y")(0).bits == 0xb4);
}

TEST_CASE("dtypes that Tenon does not have can be ignored in a file") {
  Folder const folder;
  write_file(folder / "x",
             "{\"a\":{\"dtype\":\"F8_E8M0\",\"shape\":[2],\"data_offsets\":[0,2]},"
             "\"b\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[2,4]},"
             "\"value\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[4,5]}}",
             "1234A");
  CHECK(load<UInt8<"">>(folder / "x", {.ignore_extra = true})() == 'A');
  CHECK(load_contents(folder / "x").at("a") == "F8_E8M0 \"2\"");
}

}  // namespace safetensors_test
