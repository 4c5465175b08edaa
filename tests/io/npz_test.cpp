// Trees in npz files.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "filled.hpp"
#include "folder.hpp"

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npz.hpp>
#include <tenon/io/npz/zip_members.hpp>
#include <tenon/tensor/complex.hpp>

namespace npz_test {

using namespace tenon;
namespace npz = tenon::npz;  // not that of `internal`, which other tests use

namespace {

struct Part {
  Float32<"row column"> weight;
  std::optional<Mask<"n">> mask;
};

struct Whole {
  std::vector<Part> parts;
  std::array<Int64<"2">, 2> pair{Int64<"2">{1, 2}, Int64<"2">{3, 4}};
  Frozen<BFloat16<"n">> frozen;
  Complex128<"1 1 1 1 1 1 1 1"> wave;
  Key key{42};
  double rate = 0.5;
  bool done = true;
  Constant<std::string> note;
};

Whole whole() {
  Whole tree;
  tree.parts.resize(2);
  tree.parts[0].weight = filled<Float32<"row column">>({7, 3, 1, 1, 1, 1, 1, 1});
  tree.parts[1].mask = filled<Mask<"n">>({9, 1, 1, 1, 1, 1, 1, 1});
  tree.frozen = filled<BFloat16<"n">>({4, 1, 1, 1, 1, 1, 1, 1});
  return tree;
}

struct Sizes2 {
  Float32<"n"> a, b;
};

}  // namespace

TEST_CASE("a tree comes back from an npz file, stored and compressed") {
  Folder const folder;
  Whole const tree = whole();
  for (bool const compressed : {false, true}) {
    npz::save(folder / "x", tree, {.compressed = compressed});
    auto const back = npz::load<Whole>(folder / "x");
    CHECK(back.parts.size() == 2);
    CHECK(same_bits(back.parts[0].weight, tree.parts[0].weight));
    CHECK(same_bits(*back.parts[1].mask, *tree.parts[1].mask));
    CHECK(same_bits(*back.frozen, *tree.frozen));
    CHECK(back.pair[1](1) == 4);
    CHECK(back.key == Key{42});
    CHECK(back.rate == 0.5);
  }
}

TEST_CASE("a lone tensor is value, and the same tree makes the same bytes") {
  Folder const folder;
  npz::save(folder / "x", Float32<"n">{1, 2});
  CHECK(npz::load<Float32<"n">>(folder / "x")(1) == 2);
  CHECK(npz::File(folder / "x").contains("value"));
  CHECK_FALSE(npz::File(folder / "x").contains("values"));
  npz::save(folder / "y", Float32<"n">{1, 2});
  CHECK(read_bytes(folder / "x") == read_bytes(folder / "y"));
}

TEST_CASE("an npz file without arrays is a tree without tensors") {
  Folder const folder;
  npz::save(folder / "x", std::vector<Float32<"n">>());
  CHECK(read_bytes(folder / "x").size() == 22);
  CHECK(npz::load<std::vector<Float32<"n">>>(folder / "x").empty());
}

TEST_CASE("a file with more members than 16 bits count has a zip64 directory") {
  using namespace tenon::internal::npz;
  Folder const folder;
  AtomicFile file(folder / "x");
  ZipWriter zip(file);
  for (int i = 0; i < 65'536; ++i) zip.add(std::to_string(i) + ".npy", {"", "x", 1}, false);
  zip.finish();
  file.commit();
  InputFile const input(folder / "x");
  auto const members = DirectoryReader(input, {}).read();
  CHECK(members.size() == 65'536);
  CHECK(members.back().name == "65535.npy");
}

TEST_CASE("a missing field keeps its value, and a prototype decides the structure") {
  Folder const folder;
  npz::save(folder / "x", whole());
  struct More {
    std::vector<Part> parts;
    float other = 3;
  };
  LoadOptions const options{.ignore_extra = true, .keep_missing = true};
  CHECK(npz::load<More>(folder / "x", options).other == 3);
  Whole prototype;
  prototype.parts.resize(2);
  prototype.parts[1].mask.emplace();
  prototype.note = std::string("kept");
  CHECK(*npz::load(folder / "x", prototype).note == "kept");
  prototype.parts.resize(3);
  CHECK_THROWS_AS(npz::load(folder / "x", prototype), FileError);
}

TEST_CASE("a function gives the names of arrays, and nothing is cast") {
  Folder const folder;
  npz::save(folder / "x", Float32<"n">{1, 2});
  struct Named {
    Float32<"n"> other;
  };
  auto const name = [](std::string const&) { return "value"; };
  CHECK(npz::load<Named>(folder / "x", {.entry_name = name}).other(1) == 2);
  CHECK(words_of<ValueError>([&] { npz::load<Float64<"n">>(folder / "x", {.cast = true}); }) ==
        "tenon::npz::load: 'cast': expected no such option, got it (x)");
}

TEST_CASE("axes of one name in one struct have one size, when saved and when loaded") {
  Folder const folder;
  Sizes2 const different{{1, 2}, {1, 2, 3}};
  CHECK(words_of<ShapeError>([&] {
          npz::save(folder / "x", different);
        }).starts_with("tenon::npz::save: 'b': "));
  struct Free {
    Float32<"m"> a;
    Float32<"n"> b;
  };
  npz::save(folder / "x", Free{{1, 2}, {1, 2, 3}});
  CHECK(words_of<ShapeError>([&] {
          npz::load<Sizes2>(folder / "x");
        }).starts_with("tenon::npz::load: 'b': "));
}

TEST_CASE("a save that fails leaves the npz file that was there") {
  Folder const folder;
  npz::save(folder / "x", Float32<"n">{1, 2});
  CHECK(words_of<FileError>([&] { npz::save(folder / "none/x", Float32<"n">{1}); }) ==
        "tenon::npz::save: expected a file that can be written, got No such file or directory (x)");
  CHECK_THROWS_AS(npz::save(folder / "x", Sizes2{{1}, {1, 2}}), ShapeError);
  CHECK(npz::load<Float32<"n">>(folder / "x")(1) == 2);
  CHECK(folder.count() == 1);
}

}  // namespace npz_test
