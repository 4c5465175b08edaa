// Keys to random numbers in files.

#include <doctest/doctest.h>

#include <array>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

namespace key_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Training {
  Float32<"n=2"> weight{1, 2};
  Key key;
  std::array<Key, 2> ranks{Key(1), Key(2)};
  Frozen<Key> data{Key(3)};
};

}  // namespace

TEST_CASE("a key is saved with its tree, and its random numbers continue after loading") {
  Folder const folder;
  Training const before{
      .key = fold_in(Key(7), 1000), .ranks = split(Key(8)), .data = {Key(0xfedcba9876543210)}};
  save(folder / "k.safetensors", before);

  auto const after = load<Training>(folder / "k.safetensors");
  CHECK(after.key == before.key);
  CHECK(after.ranks == before.ranks);
  CHECK(after.data.value == before.data.value);
  using Draw = Float32<"n=5">;
  CHECK(eval(all(normal<Draw>(after.key) == normal<Draw>(before.key)))());
}

TEST_CASE("a key is stored as two 32-bit words") {
  Folder const folder;
  save(folder / "k.safetensors", Key(0xfedcba9876543210));
  CHECK(load_contents(folder / "k.safetensors").at("value") == "uint32 \"2\"");
  auto const words = load<UInt32<"2">>(folder / "k.safetensors");
  CHECK(words(0) == 0x76543210);
  CHECK(words(1) == 0xfedcba98);
  CHECK(load(folder / "k.safetensors", Key(0)) == Key(0xfedcba9876543210));
}

TEST_CASE("a file without the key of a tree throws") {
  Folder const folder;
  save(folder / "k.safetensors", Float32<"n=2">{1, 2});
  CHECK_THROWS_WITH_AS(load(folder / "k.safetensors", Key(0)),
                       doctest::Contains("expected uint32 \"2\", got float32"), FileError);
}

TEST_CASE("a key has no gradient") {
  CHECK(tenon::tree::paths(Training()) == std::vector<std::string>{"weight"});
}

}  // namespace key_test
