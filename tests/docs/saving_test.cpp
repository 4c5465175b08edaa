// The code that docs/saving.md shows, and its messages.

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

#include "../io/folder.hpp"

namespace docs_saving {
namespace {

using namespace tenon;

struct Layer {
  Float32<"in=3 out=2"> weight;
  Float32<"out=2"> bias;
};

struct Model {
  std::vector<Layer> layers;
  Frozen<Float32<"position model=2">> positions;
  std::optional<Layer> head;
};

struct Run {  // all that a training run goes on from
  Model model;
  AdamWState<Model> state;
  Key key{42};
  std::int64_t step = 0;
};

Model model() {
  return {std::vector<Layer>(2, Layer{ones<Float32<"in=3 out=2">>(), {1, 2}}),
          Float32<"position model=2">{{1, 2}, {3, 4}, {5, 6}}, std::nullopt};
}

TEST_CASE("a model is saved and loaded by its type") {
  Folder const folder;
  Model const trained = model();
  save(folder / "model.safetensors", trained);
  auto const back = load<Model>(folder / "model.safetensors");
  CHECK(back.layers.size() == 2);
  CHECK(back.layers[1].bias(1) == 2);
  CHECK(size<"position">(*back.positions) == 3);
  CHECK_FALSE(back.head.has_value());
}

TEST_CASE("single tensors are written and read by name") {
  Folder const folder;
  Float32<"in out"> const w{{1, 2}, {3, 4}, {5, 6}};
  Float32<"out"> const b{7, 8};
  safetensors::Writer()
      .add("fc1.weight", w)
      .add("fc1.bias", b)
      .save(folder / "model.safetensors", {{"format", "pt"}});

  safetensors::File const file(folder / "model.safetensors");
  for (std::string const& name : file.names())
    std::printf("%s: %s\n", name.c_str(), std::string(file.dtype(name)).c_str());
  auto const weight = file.load<Float32<"in out=2">>("fc1.weight");
  CHECK(weight(2, 1) == 6);
  auto const mapped = file.view<Float32<"in out=2">>("fc1.weight");  // a View: nothing is copied
  CHECK(sum(mapped).item() == 21);
}

TEST_CASE("a checkpoint of others is read into one's own struct") {
  Folder const folder;
  safetensors::Writer()
      .add("h.0.w", to<bfloat16>(ones<Float32<"in=3 out=2">>()))
      .add("h.0.b", Float32<"out=2">{1, 2})
      .save(folder / "model-00001-of-00002.safetensors");
  safetensors::Writer()
      .add("scale", Float32<"">(3))
      .save(folder / "model-00002-of-00002.safetensors");
  write_bytes(folder / "model.safetensors.index.json", R"({"weight_map": {
      "h.0.w": "model-00001-of-00002.safetensors", "h.0.b": "model-00001-of-00002.safetensors",
      "scale": "model-00002-of-00002.safetensors"}})");

  struct Theirs {
    std::vector<Layer> layers;
    Float32<""> scale;
  };
  auto const theirs = [](std::string const& path) {  // "layers.0.weight" is "h.0.w" in the files
    if (!path.starts_with("layers.")) return path;
    auto const field = path.find('.', 7) + 1;
    return "h." + path.substr(7, field - 7) + path[field];
  };
  auto const model =
      load<Theirs>(folder / "model.safetensors.index.json", {.cast = true, .entry_name = theirs});
  CHECK((model.layers.size() == 1 && model.layers[0].weight(2, 1) == 1));
  CHECK((model.layers[0].bias(1) == 2 && model.scale.item() == 3));
}

TEST_CASE("a run is a struct like any other") {
  Folder const folder;
  Run run{model(), AdamW().init(model())};
  run.step = 1000;
  save(folder / "run.safetensors", run);
  run = load<Run>(folder / "run.safetensors");
  CHECK(run.step == 1000);
  CHECK(run.key == Key{42});
  CHECK(run.state.mean.layers[1].weight(2, 1) == 0);
}

TEST_CASE("entries are named by the paths of fields") {
  Folder const folder;
  save(folder / "model.safetensors", model());
  std::map<std::string, std::string> const expected{
      {"layers.0.bias", "float32 \"out=2\""},
      {"layers.0.weight", "float32 \"in=3 out=2\""},
      {"layers.1.bias", "float32 \"out=2\""},
      {"layers.1.weight", "float32 \"in=3 out=2\""},
      {"positions", "float32 \"position=3 model=2\""}};
  CHECK(load_contents(folder / "model.safetensors") == expected);
  save(folder / "tensor.safetensors", Float32<"n=2">{1, 2});
  CHECK(load_contents(folder / "tensor.safetensors").at("value") == "float32 \"n=2\"");
}

TEST_CASE("metadata are texts beside the tensors") {
  Folder const folder;
  save(folder / "model.safetensors", model(), {{"format", "pt"}, {"epoch", "12"}});
  auto const metadata = load_metadata(folder / "model.safetensors");
  CHECK(metadata.at("epoch") == "12");
  CHECK(metadata.size() == 2);
}

/// What loading `Wanted` says of a file that holds `saved`.
template <class Wanted, class Saved>
std::string message_of(Saved const& saved, LoadOptions options = {}) {
  Folder const folder;
  save(folder / "x.safetensors", saved);
  return words_of<Error>([&] { load<Wanted>(folder / "x.safetensors", options); });
}

TEST_CASE("a file that does not fit says which tensor, what is expected and what it is") {
  struct Wide {
    Float32<"in=4 out=2"> weight;
    Float32<"out=2"> bias;
  };
  struct Other {
    Float32<"row=3 column=2"> weight;
    Float32<"out=2"> bias;
  };
  struct Weight {
    Float32<"in=3 out=2"> weight;
  };
  CHECK(message_of<Wide>(Layer{}) ==
        "tenon::load: 'weight': expected float32 \"in=4 out=2\", got float32 \"in=3 out=2\" "
        "(x.safetensors)");
  CHECK(message_of<Other>(Layer{}) ==
        "tenon::load: 'weight': expected float32 \"row=3 column=2\", got float32 \"in=3 out=2\" "
        "(x.safetensors)");
  CHECK(message_of<Layer>(Weight{}) ==
        "tenon::load: 'bias': expected float32 \"out=2\", got no tensor of that name "
        "(x.safetensors)");
  CHECK(message_of<Weight>(Layer{}) ==
        "tenon::load: 'bias': expected no tensor of that name, got float32 \"out=2\" "
        "(x.safetensors)");
  CHECK(message_of<Float32<"n=2">>(Float64<"n=2">{1, 2}) ==
        "tenon::load: 'value': expected float32 \"n=2\", got float64 \"n=2\" (x.safetensors)");
  CHECK(message_of<Float32<"n=4..">>(Float32<"n=2">{1, 2}) ==
        "tenon::load: 'value': expected float32 \"n=4..\", got float32 \"n=2\" (x.safetensors)");
}

TEST_CASE("a part of a file is loaded into a struct of that part") {
  Folder const folder;
  auto const path = folder / "model.safetensors";
  save(path, model());
  struct Positions {
    Float32<"position model=2"> positions;
  };
  auto const part = load<Positions>(path, {.ignore_extra = true});
  CHECK(part.positions(2, 1) == 6);

  struct Grown {
    std::vector<Layer> layers;
    Frozen<Float32<"position model=2">> positions;
    std::optional<Layer> head;
    float temperature = 0.5f;  // not in the file: keeps its value
  };
  auto const grown = load<Grown>(path, {.keep_missing = true});
  CHECK(grown.temperature == 0.5f);
  CHECK(grown.layers.size() == 2);

  struct Renamed {
    Float32<"place feature=2"> positions;
  };
  auto const renamed = load<Renamed>(path, {.ignore_extra = true, .ignore_axis_names = true});
  CHECK(renamed.positions(2, 1) == 6);
}

TEST_CASE("a prototype decides sizes of vectors, optionals and what is not stored") {
  Folder const folder;
  auto const path = folder / "model.safetensors";
  save(path, model());
  Model prototype;
  prototype.layers.resize(2);
  auto const back = load(path, prototype);
  CHECK(back.layers[0].weight(0, 0) == 1);
  prototype.layers.resize(3);
  CHECK_THROWS_AS(load(path, prototype), FileError);
}

TEST_CASE("a save that fails leaves what was there") {
  Folder const folder;
  save(folder / "x.safetensors", Float32<"n=2">{1, 2});
  CHECK_THROWS_AS(save(folder / "x.safetensors", Float32<"n=1">{3}, {{"bytes", "\xff"}}),
                  ValueError);
  CHECK(load<Float32<"n=2">>(folder / "x.safetensors")(1) == 2);
  CHECK(folder.count() == 1);  // no partial file
  CHECK(words_of<FileError>([&] { save(folder / "none/x", Float32<"n=1">{3}); }) ==
        "tenon::save: expected a file that can be written, got No such file or directory (x)");
}

TEST_CASE("the same tree makes the same bytes") {
  Folder const folder;
  save(folder / "a", model());
  save(folder / "b", model());
  CHECK(read_bytes(folder / "a") == read_bytes(folder / "b"));
}

}  // namespace
}  // namespace docs_saving
