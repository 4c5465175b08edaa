// The code on npz files that docs/numpy.md shows, and its messages.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <tenon/io/npz.hpp>
#include <tenon/tenon.hpp>

#include "../io/folder.hpp"

namespace docs_npz {
namespace {

using namespace tenon;

struct Layer {
  Float32<"in=3 out=2"> weight;
  Float32<"out=2"> bias;
};

struct Data {
  Float32<"sample feature=2"> x;
  Int32<"sample"> label;
  std::vector<Layer> layers;
};

Data data() { return {{{1, 2}, {3, 4}}, {0, 1}, std::vector<Layer>(1)}; }

TEST_CASE("a struct is saved and loaded by its type") {
  Folder const folder;
  npz::save(folder / "data.npz", data());
  auto const back = npz::load<Data>(folder / "data.npz");
  CHECK(back.x(1, 1) == 4);
  CHECK(back.label(1) == 1);
  CHECK(back.layers.size() == 1);
  npz::save(folder / "small.npz", data(), {.compressed = true});
  CHECK(npz::load<Data>(folder / "small.npz").x(1, 1) == 4);
}

TEST_CASE("the arrays of a file are listed, and read one by one") {
  Folder const folder;
  npz::save(folder / "data.npz", data());
  npz::File const file(folder / "data.npz");
  std::map<std::string, std::string> const expected{{"label", "int32 \"2\""},
                                                    {"layers.0.bias", "float32 \"2\""},
                                                    {"layers.0.weight", "float32 \"3 2\""},
                                                    {"x", "float32 \"2 2\""}};
  CHECK(file.contents() == expected);
  auto const label = file.load<Int32<"sample">>("label");
  CHECK(label(1) == 1);
}

TEST_CASE("a part of a file is loaded into a struct of that part") {
  Folder const folder;
  npz::save(folder / "data.npz", data());
  struct Labels {
    Int32<"sample"> label;
  };
  auto const part = npz::load<Labels>(folder / "data.npz", {.ignore_extra = true});
  CHECK(part.label(1) == 1);
}

TEST_CASE("a file that does not fit says which array, what is expected and what it is") {
  Folder const folder;
  struct Wide {
    Float32<"sample feature=3"> x;
  };
  struct More {
    Float32<"sample feature=2"> x;
    Float32<"sample"> weight;
  };
  auto const message_of = [&]<class Tree>(Tree const& prototype) {
    npz::save(folder / "x.npz", data());
    return words_of<Error>([&] { npz::load(folder / "x.npz", prototype); });
  };
  CHECK(
      message_of(Wide()) ==
      "tenon::npz::load: 'x': expected float32 \"sample feature=3\", got float32 \"2 2\" (x.npz)");
  CHECK(message_of(More()) ==
        "tenon::npz::load: 'weight': expected float32 \"sample\", got no tensor of that name "
        "(x.npz)");
}

}  // namespace
}  // namespace docs_npz
