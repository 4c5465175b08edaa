// Trees to files and back.

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>

using namespace tenon;

namespace {

struct Linear {
  Float32<"in=3 out=2"> weight;
  Float32<"out=2"> bias;
};

struct Attention {
  Linear query, key;
};

struct Transformer {
  std::vector<Attention> blocks;
  std::array<Linear, 2> heads;
  Frozen<Float32<"position model=2">> positions;
  std::optional<Linear> last;
  std::tuple<Float32<"">, Int32<"n=2">> pair;
  float rate = 0;
  std::int64_t step = 0;
  std::string comment = "of the program";
};

struct Numbers {
  float f = 1.5f;
  double d = -2.5;
  float16 h{0.25f};
  bfloat16 b{3.0f};
  std::int8_t i8 = -8;
  std::int16_t i16 = -16;
  std::int32_t i32 = -32;
  std::int64_t i64 = std::numeric_limits<std::int64_t>::min();
  std::uint8_t u8 = 8;
  std::uint16_t u16 = 16;
  std::uint32_t u32 = 32;
  std::uint64_t u64 = std::numeric_limits<std::uint64_t>::max();
  bool yes = true;
  std::complex<float> c{1, 2};
  std::complex<double> z{3, -4};
  long long other = -5;
  unsigned long long more = 6;
  char letter = 'x';

  bool operator==(Numbers const& o) const {
    auto const all = [](Numbers const& n) {
      return std::tuple(n.f, n.d, n.h.bits, n.b.bits, n.i8, n.i16, n.i32, n.i64, n.u8, n.u16, n.u32,
                        n.u64, n.yes, n.c, n.z, n.other, n.more, n.letter);
    };
    return all(*this) == all(o);
  }
};

template <class T>
T filled(Sizes const& sizes) {
  T tensor = T::uninitialised(sizes);
  auto* const bytes = reinterpret_cast<unsigned char*>(tensor.mutable_data());
  auto const size = static_cast<std::size_t>(tensor.size()) * sizeof(typename T::value_type);
  constexpr bool is_bool = std::is_same_v<typename T::value_type, bool>;
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<unsigned char>(is_bool ? i % 3 == 0 : i * 37 + 11);
  }
  return tensor;
}

template <class T>
bool same_bits(T const& a, T const& b) {
  auto const bytes = static_cast<std::size_t>(a.size()) * sizeof(typename T::value_type);
  return a.sizes() == b.sizes() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

template <class T>
bool comes_back(T const& tensor) {
  Folder const folder;
  save(folder / "x.safetensors", tensor);
  return same_bits(load<T>(folder / "x.safetensors"), tensor);
}

template <class T>
void check_dtype() {
  CAPTURE(dtype_name<T>);
  Sizes const small{5, 3, 1, 1, 1, 1, 1, 1}, none{0, 3, 1, 1, 1, 1, 1, 1};
  Sizes const large{999, 3, 1, 1, 1, 1, 1, 1};
  CHECK(comes_back(filled<Tensor<T, "row column=3">>(small)));
  CHECK(comes_back(filled<Tensor<T, "row column=3">>(large)));
  CHECK(comes_back(filled<Tensor<T, "row column=3">>(none)));
  CHECK(comes_back(filled<Tensor<T, "5 3">>(small)));
  CHECK(comes_back(filled<Tensor<T, "">>(ones())));
}

Transformer example() {
  Transformer model;
  model.blocks.resize(11);
  model.blocks[10].key.weight = filled<Float32<"in=3 out=2">>({3, 2, 1, 1, 1, 1, 1, 1});
  model.heads[1].bias = {1, 2};
  model.positions = Float32<"position model=2">{{1, 2}, {3, 4}, {5, 6}};
  model.last = Linear{};
  model.last->bias(1) = 7;
  std::get<0>(model.pair) = 8;
  std::get<1>(model.pair)(1) = 9;
  model.rate = 0.125f;
  model.step = 1000;
  return model;
}

}  // namespace

TEST_CASE("tensors of every dtype come back bit for bit") {
  check_dtype<float>(), check_dtype<double>(), check_dtype<float16>(), check_dtype<bfloat16>();
  check_dtype<std::int8_t>(), check_dtype<std::int16_t>();
  check_dtype<std::int32_t>(), check_dtype<std::int64_t>();
  check_dtype<std::uint8_t>(), check_dtype<std::uint16_t>();
  check_dtype<std::uint32_t>(), check_dtype<std::uint64_t>();
  check_dtype<bool>(), check_dtype<std::complex<float>>(), check_dtype<std::complex<double>>();
}

TEST_CASE("numbers of a tree come back, whatever their type") {
  Folder const folder;
  Numbers numbers;
  save(folder / "n.safetensors", numbers);
  Numbers none{.f = 0, .d = 0, .i64 = 0, .u64 = 0, .yes = false, .letter = ' '};
  CHECK_FALSE(none == numbers);
  CHECK(load(folder / "n.safetensors", none) == numbers);
}

TEST_CASE("a nested tree comes back under the names of its fields") {
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

TEST_CASE("an optional without a value is not stored, and stays without") {
  Folder const folder;
  Transformer model = example();
  model.last.reset();
  save(folder / "t.safetensors", model);
  CHECK_FALSE(load_contents(folder / "t.safetensors").contains("last.bias"));
  CHECK_FALSE(load<Transformer>(folder / "t.safetensors").last.has_value());
}

TEST_CASE("a prototype decides the structure, and what is not in files is copied from it") {
  Folder const folder;
  save(folder / "t.safetensors", example());
  Transformer prototype;
  prototype.blocks.resize(11);
  prototype.last = Linear{};
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

TEST_CASE("metadata come back, without the specs that Tenon adds") {
  Folder const folder;
  Metadata const metadata{{"format", "pt"}, {"note", "\"quoted\" \\ \n\t\x01 äöü 𝄞"}, {"", ""}};
  save(folder / "x.safetensors", Float32<"n=1">{1}, metadata);
  CHECK(load_metadata(folder / "x.safetensors") == metadata);
  CHECK(load_metadata(folder / "x.safetensors").size() == 3);
}

TEST_CASE("metadata that would make an unreadable file are refused") {
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

TEST_CASE("every tensor stands at a multiple of its element's size") {
  struct Mixed {
    Mask<"n=3"> mask;
    Float64<"n=1"> wide;
    Int16<"n=1"> narrow;
    Float32<"n=1"> middle;
  };
  Folder const folder;
  save(folder / "m.safetensors", Mixed{});
  InputFile const file(folder / "m.safetensors");
  auto const header = safetensors::read_header(file);
  CHECK(header.data_at % 8 == 0);
  CHECK(header.entries.at("wide").begin == 0);
  CHECK(header.entries.at("middle").begin == 8);
  CHECK(header.entries.at("narrow").begin == 12);
  CHECK(header.entries.at("mask").begin == 14);
}

TEST_CASE("the same tree makes the same file") {
  Folder const folder;
  save(folder / "a", example());
  save(folder / "b", example());
  CHECK(read_bytes(folder / "a") == read_bytes(folder / "b"));
}

TEST_CASE("a file written by hand, in any order and spacing, is read") {
  Folder const folder;
  write_file(folder / "x",
             "\n { \"b\\u0069as\" : {\"data_offsets\":[24,32], \"shape\":[ 2 ],\"dtype\":\"F32\"},"
             "\"weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]} } \t\r\n",
             std::string(26, '\0') + std::string("\x80\x3f\0\0\0\x40", 6));
  auto const linear = load<Linear>(folder / "x");
  CHECK(linear.weight(0, 0) == 0);
  CHECK(linear.bias(0) == 1);
  CHECK(linear.bias(1) == 2);
}

TEST_CASE("tensors that the tree has no place for are an error, unless they are ignored") {
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

TEST_CASE("dtypes that Tenon does not have can stand in a file, to be ignored") {
  Folder const folder;
  write_file(folder / "x",
             "{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[0,2]},"
             "\"b\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[2,4]},"
             "\"value\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[4,5]}}",
             "1234A");
  CHECK(load<UInt8<"">>(folder / "x", {.ignore_extra = true})() == 'A');
  CHECK(load_contents(folder / "x").at("a") == "F8_E4M3 \"2\"");
}
