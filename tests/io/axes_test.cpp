// Whether a file fits the types of a tree: dtypes, sizes, bounds, names of axes.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/complex.hpp>

namespace axes_test {

using namespace tenon;

namespace {

/// The error of loading a `To` from a file with a tensor.
template <class To, class Exception = ShapeError, class From>
std::string message_of(From const& from, LoadOptions options = {}) {
  Folder const folder;
  save(folder / "x.safetensors", from);
  return words_of<Exception>([&] { load<To>(folder / "x.safetensors", options); });
}

/// The same for a file of another program, without names of axes.
template <class To, class Exception = ShapeError>
std::string said_of(std::string const& shape, std::size_t bytes, std::string const& note = "") {
  Folder const folder;
  std::string const metadata =
      note.empty() ? "" : "\"__metadata__\":{\"tenon.spec.value\":\"" + note + "\"},";
  write_file(folder / "x.safetensors",
             "{" + metadata + "\"value\":{\"dtype\":\"F32\",\"shape\":" + shape +
                 ",\"data_offsets\":[0," + std::to_string(bytes) + "]}}",
             std::string(bytes, '\0'));
  return words_of<Exception>([&] { load<To>(folder / "x.safetensors"); });
}

struct Mlp {
  struct {
    Float32<"in=784 out=10"> weight;
  } fc1;
};
struct SmallMlp {
  struct {
    Float32<"in=512 out=10"> weight;
  } fc1;
};

}  // namespace

TEST_CASE(
    "the error for another size names the tensor, the expected and the actual size, and the file") {
  Folder const folder;
  save(folder / "model.safetensors", SmallMlp{});
  CHECK(words_of<ShapeError>([&] { load<Mlp>(folder / "model.safetensors"); }) ==
        "tenon::load: 'fc1.weight': expected float32 \"in=784 out=10\", "
        "got float32 \"in=512 out=10\" (model.safetensors)");
}

TEST_CASE("another dtype, rank or name") {
  CHECK(message_of<Float32<"n=2">, FileError>(Float64<"n=2">{1, 2}) ==
        "tenon::load: 'value': expected float32 \"n=2\", got float64 \"n=2\" (x.safetensors)");
  CHECK(message_of<Float32<"n=2">>(Float32<"n=2 m=1">{{1}, {2}}) ==
        "tenon::load: 'value': expected float32 \"n=2\", got float32 \"n=2 m=1\" (x.safetensors)");
  CHECK(message_of<Float32<"height=2">>(Float32<"width=2">{1, 2}) ==
        "tenon::load: 'value': expected float32 \"height=2\", got float32 \"width=2\" "
        "(x.safetensors)");
  CHECK(message_of<Float32<"out=2 in=2">>(Float32<"in=2 out=2">{{1, 2}, {3, 4}}) ==
        "tenon::load: 'value': expected float32 \"out=2 in=2\", got float32 \"in=2 out=2\" "
        "(x.safetensors)");
  CHECK(message_of<Float32<"">>(Float32<"n=1">{1}) ==
        "tenon::load: 'value': expected float32 \"\", got float32 \"n=1\" (x.safetensors)");
  CHECK(message_of<Complex128<"n=2">, FileError>(Complex64<"n=2">{1, 2}) ==
        "tenon::load: 'value': expected float64 \"n=2 2\", got complex64 \"n=2\" (x.safetensors)");
}

TEST_CASE("names may differ if requested; sizes may not") {
  LoadOptions const options{.ignore_axis_names = true};
  CHECK(message_of<Float32<"height=2">>(Float32<"width=2">{1, 2}, options) == "nothing");
  CHECK(message_of<Float32<"height=3">>(Float32<"width=2">{1, 2}, options) != "nothing");
}

TEST_CASE("run-time sizes are read from the file, within their bounds") {
  Float32<"batch n=1"> const three{{1}, {2}, {3}};
  CHECK(message_of<Float32<"batch n=1">>(three) == "nothing");
  CHECK(message_of<Float32<"batch=3 n=1">>(three) == "nothing");
  CHECK(message_of<Float32<"batch=..3 n=1">>(three) == "nothing");
  CHECK(message_of<Float32<"_ 1">>(three) == "nothing");
  CHECK(message_of<Float32<"batch=4.. n=1">>(three) ==
        "tenon::load: 'value': expected float32 \"batch=4.. n=1\", got float32 \"batch=3 n=1\" "
        "(x.safetensors)");
  CHECK(message_of<Float32<"batch=1..2 n=1">>(three) ==
        "tenon::load: 'value': expected float32 \"batch=1..2 n=1\", got float32 \"batch=3 n=1\" "
        "(x.safetensors)");
}

TEST_CASE("computed and repeated axes must have consistent sizes") {
  CHECK(said_of<Float32<"n n+1">>("[2,3]", 24) == "nothing");
  CHECK(said_of<Float32<"n n+1">>("[2,4]", 32) ==
        "tenon::load: 'value': expected float32 \"n n+1\", got float32 \"2 4\" (x.safetensors)");
  CHECK(said_of<Float32<"n n">>("[2,2]", 16) == "nothing");
  CHECK(said_of<Float32<"n n">>("[2,3]", 24) ==
        "tenon::load: 'value': expected float32 \"n n\", got float32 \"2 3\" (x.safetensors)");
}

TEST_CASE("a file of another program has no names, and fits any names") {
  CHECK(said_of<Float32<"in=2 out=3">>("[2,3]", 24) == "nothing");
  CHECK(said_of<Float32<"in=2 out">>("[2,0]", 0) == "nothing");
  CHECK(said_of<Float32<"in=3 out=2">>("[2,3]", 24) ==
        "tenon::load: 'value': expected float32 \"in=3 out=2\", got float32 \"2 3\" "
        "(x.safetensors)");
  CHECK(said_of<Float32<"n">>("[1,1,1,1,1,1,1,1,1,1]", 4) ==
        "tenon::load: 'value': expected float32 \"n\", got float32 \"1 1 1 1 1 1 1 1 1 1\" "
        "(x.safetensors)");
}

TEST_CASE("valid names in a file are used; invalid specs are ignored") {
  CHECK(said_of<Float32<"width=3">>("[2]", 8, "height=9") ==
        "tenon::load: 'value': expected float32 \"width=3\", got float32 \"height=2\" "
        "(x.safetensors)");
  CHECK(said_of<Float32<"width=2">>("[2]", 8, "height=2") != "nothing");
  std::string const deep(100000, '(');
  std::string const longer(64, 'a');
  for (std::string const& note :
       {std::string("a b"), std::string(" "), std::string("_a"), std::string("n+1"),
        std::string("min(n,m)"), std::string("\\u0000"), std::string("=="), deep, longer}) {
    CHECK(said_of<Float32<"width=2">>("[2]", 8, note) == "nothing");
  }
}

TEST_CASE("more elements than fit the memory are rejected before allocation") {
  CHECK(said_of<Float32<"n">, FileError>("[9007199254740991]", 4) ==
        "tenon::load: 'value': expected 36028797018963964 bytes for its shape, got 4 bytes "
        "(x.safetensors)");
}

TEST_CASE("a vector grows to the number of consecutive elements in the file") {
  struct Items {
    std::vector<Float32<"n">> items;
  };
  Folder const folder;
  auto const named = [](std::string const& name) {
    return "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
  };
  write_file(folder / "x", "{" + named("items.0") + "," + named("items.1") + "}", "");
  CHECK(load<Items>(folder / "x").items.size() == 2);
  write_file(folder / "x", "{" + named("items.0") + "," + named("items.2") + "}", "");
  CHECK(words_of<FileError>([&] { load<Items>(folder / "x"); }) ==
        "tenon::load: 'items.2': expected no tensor of that name, got float32 \"0\" (x)");
  write_file(folder / "x", "{" + named("items.99999999999999999999") + "}", "");
  CHECK_THROWS_AS(load<Items>(folder / "x"), FileError);
  write_file(folder / "x", "{" + named("items") + "}", "");
  CHECK_THROWS_AS(load<Items>(folder / "x"), FileError);
}

}  // namespace axes_test
