// Single tensors by name: safetensors::File and safetensors::Writer.

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <vector>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace safetensors_file_test {

using namespace tenon;
namespace safetensors = tenon::safetensors;  // other tests use tenon::internal

struct Layer {
  Float32<"in out"> weight;
  Float32<"out"> bias;
};

struct Model {
  std::vector<Layer> layers;
  std::optional<Float32<"n">> head;
};

std::string words(auto&& call) { return words_of<Error>(call); }

void write_two(std::filesystem::path const& path) {
  safetensors::Writer()
      .add("fc1.weight", Float32<"in out">{{1, 2}, {3, 4}, {5, 6}})
      .add("fc1.bias", Float32<"out">{7, 8} * 2)
      .save(path, {{"format", "pt"}});
}

TEST_CASE("an open file lists names, dtypes, sizes and metadata") {
  Folder const folder;
  write_two(folder / "x");
  safetensors::File const file(folder / "x");
  CHECK(file.names() == std::vector<std::string>{"fc1.bias", "fc1.weight"});
  CHECK((file.contains("fc1.bias") && !file.contains("fc1")));
  CHECK(file.dtype("fc1.weight") == "float32");
  CHECK(file.sizes("fc1.weight") == std::vector<std::int64_t>{3, 2});
  CHECK(file.metadata() == Metadata{{"format", "pt"}});
  write_file(folder / "f8", R"({"a":{"dtype":"F8_E8M0","shape":[1],"data_offsets":[0,1]}})", "\1");
  CHECK(safetensors::File(folder / "f8").dtype("a") == "F8_E8M0");
}

TEST_CASE("one tensor is read by its name, checked") {
  Folder const folder;
  write_two(folder / "x");
  safetensors::File const file(folder / "x");
  CHECK(file.load<Float32<"in=3 out">>("fc1.weight")(2, 1) == 6);
  CHECK(file.load<Float32<"out=2">>("fc1.bias")(0) == 14);
  CHECK(words([&] { file.load<Float32<"in=4 out">>("fc1.weight"); }) ==
        "tenon::load: 'fc1.weight': expected float32 \"in=4 out\", got float32 \"in=3 out=2\" (x)");
  CHECK(words([&] { file.load<Float64<"out">>("fc1.bias"); }) ==
        "tenon::load: 'fc1.bias': expected float64 \"out\", got float32 \"out=2\" (x)");
  CHECK(words([&] { file.load<Float64<"out">>("fc1.bias", {.report_all = true}); }) ==
        "tenon::load: 'fc1.bias': expected float64 \"out\", got float32 \"out=2\" (x)");
  CHECK(words([&] { file.load<Float32<"out">>("fc2"); }) ==
        "tenon::load: 'fc2': expected float32 \"out\", got no tensor of that name (x)");
  CHECK(words([&] { file.load<Float32<"a b">>("fc1.weight"); }) ==
        "tenon::load: 'fc1.weight': expected float32 \"a b\", got float32 \"in=3 out=2\" (x)");
  CHECK(file.load<Float32<"a b">>("fc1.weight", {.ignore_axis_names = true}).size() == 6);
  CHECK(words([&] { static_cast<void>(file.sizes("fc2")); }) ==
        "tenon::load: 'fc2': expected a tensor of that name, got none (x)");
}

TEST_CASE("a view has the elements of the mapping, without a copy") {
  Folder const folder;
  write_two(folder / "x");
  safetensors::File const file(folder / "x");
  auto const in_use = tenon::memory::bytes_in_use();
  auto const weight = file.view<Float32<"in out=2">>("fc1.weight");
  auto const again = safetensors::File(file).view<Float32<"in out=2">>("fc1.weight");
  CHECK(tenon::memory::bytes_in_use() == in_use);
  CHECK((weight.data() == again.data() && weight(2, 1) == 6));
  CHECK(sum(weight).item() == 21);
  CHECK(words([&] { static_cast<void>(file.view<Float32<"n">>("fc1.weight")); }) ==
        "tenon::load: 'fc1.weight': expected float32 \"n\", got float32 \"in=3 out=2\" (x)");
}

TEST_CASE("a view of elements that are not aligned, or no bools, is refused") {
  Folder const folder;
  std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  header.append((5 - header.size() % 4) % 4, ' ');
  write_file(folder / "x", header, std::string_view("\0\0\200\77", 4));
  safetensors::File const file(folder / "x");
  CHECK(
      words([&] { static_cast<void>(file.view<Float32<"n">>("a")); }) ==
      "tenon::view: 'a': expected elements aligned to 4 bytes, got 1 bytes after such a place (x)");
  CHECK(file.load<Float32<"n">>("a")(0) == 1);
  write_file(folder / "b", R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\2");
  CHECK(words([&] { static_cast<void>(safetensors::File(folder / "b").view<Mask<"n">>("a")); }) ==
        "tenon::load: 'a': expected 0 or 1 for a bool, got the byte 2 (b)");
}

TEST_CASE("a writer keeps what it was given, and refuses names that files cannot have") {
  Folder const folder;
  safetensors::Writer writer;
  {
    Float32<"n"> numbers{1, 2};
    writer.add("numbers", numbers);
    numbers(0) = 3;  // the writer has the value of before
  }
  writer.add("step", 7).add("key", Key{5}).save(folder / "x");
  safetensors::File const file(folder / "x");
  CHECK(file.load<Float32<"n">>("numbers")(0) == 1);
  CHECK(file.load<int>("step") == 7);
  CHECK(file.load<Key>("key").words() == Key{5}.words());
  auto twice = writer;
  twice.add("step", 1);
  CHECK(words([&] { twice.save(folder / "y"); }) ==
        "tenon::save: 'step': expected every name once, got it again (y)");
  CHECK(words([&] { safetensors::Writer().add("\xff", 1).save(folder / "y"); }).find("UTF-8") !=
        std::string::npos);
  CHECK(words([&] { safetensors::Writer().add("__metadata__", 1).save(folder / "y"); }) ==
        "tenon::save: '__metadata__': expected a field of another name, got the name of the "
        "metadata (y)");
  CHECK(folder.count() == 1);
}

TEST_CASE("floating dtypes are cast where asked, rounded to nearest even") {
  Folder const folder;
  std::vector<float> numbers{0.0f, 1.0f / 3, 65504.0f, 1e-7f, -2.5f, 3e38f};
  numbers.resize(40000, 0.1f);
  Float32<"n"> const x(numbers, 40000);
  safetensors::Writer()
      .add("f", x)
      .add("d", to<double>(x))
      .add("h", to<float16>(x))
      .add("b", to<bfloat16>(x))
      .add("i", to<std::int32_t>(x * 0.0f))
      .save(folder / "x");
  safetensors::File const file(folder / "x");
  LoadOptions const options{.cast = true};
  for (std::string const name : {"f", "d", "h", "b"}) {
    auto const as_float = file.load<Float32<"n">>(name, options);
    auto const as_double = file.load<Float64<"n">>(name, options);
    CHECK(all(to<double>(as_float) == as_double).item());
    auto const as_brain = file.load<BFloat16<"n">>(name, options);
    CHECK(all(to<float>(as_brain) == to<float>(to<bfloat16>(as_float))).item());
    auto const as_half = file.load<Float16<"n">>(name, options);
    CHECK(all(to<float>(as_half) == to<float>(to<float16>(as_float))).item());
  }
  CHECK(words([&] { file.load<Float32<"n">>("i", options); }) ==
        "tenon::load: 'i': expected float32 \"n\", got int32 \"n=40000\" (x)");
  CHECK(words([&] { file.load<Int32<"n">>("f", options); }) ==
        "tenon::load: 'f': expected int32 \"n\", got float32 \"n=40000\" (x)");
}

TEST_CASE("a complex128, which is two float64, is cast from two of another dtype") {
  Folder const folder;
  safetensors::Writer().add("x", Float32<"n part=2">{{1, 2}, {3, -4}}).save(folder / "x");
  LoadOptions const options{.cast = true};
  auto const x = safetensors::File(folder / "x").load<Complex128<"n">>("x", options);
  CHECK(x(0) == std::complex<double>(1, 2));
  CHECK(x(1) == std::complex<double>(3, -4));
}

TEST_CASE("a function gives the names of entries, also to vectors that grow") {
  Folder const folder;
  safetensors::Writer writer;
  for (std::string const layer : {"0", "1"}) {
    writer.add("h." + layer + ".w", ones<Float32<"in out">>(3, 2));
    writer.add("h." + layer + ".b", zeros<Float32<"out">>(2));
  }
  writer.add("lm_head", Float32<"n">{1, 2}).save(folder / "x");
  std::map<std::string, std::string> const names{{"layers.0.weight", "h.0.w"},
                                                 {"layers.0.bias", "h.0.b"},
                                                 {"layers.1.weight", "h.1.w"},
                                                 {"layers.1.bias", "h.1.b"},
                                                 {"head", "lm_head"}};
  LoadOptions const options{.entry_name = [&](std::string const& path) {
    auto const found = names.find(path);
    return found == names.end() ? path : found->second;
  }};
  auto const model = load<Model>(folder / "x", options);
  CHECK((model.layers.size() == 2 && model.layers[1].weight(2, 1) == 1));
  CHECK((model.head.has_value() && (*model.head)(1) == 2));
  CHECK(words([&] { load<Layer>(folder / "x", options); }) ==
        "tenon::load: 'weight': expected float32 \"in out\", got no tensor of that name (x)");
}

TEST_CASE("leaves of one entry leave no other entry unnoticed") {
  Folder const folder;
  safetensors::Writer().add("a", Float32<"n">{1}).add("b", Float32<"n">{2}).save(folder / "x");
  struct Tied {
    Float32<"n"> first, second;
  };
  LoadOptions const options{.entry_name = [](std::string const&) { return "a"; }};
  CHECK(words([&] { load<Tied>(folder / "x", options); }) ==
        "tenon::load: 'b': expected no tensor of that name, got float32 \"n=1\" (x)");
}

}  // namespace safetensors_file_test
