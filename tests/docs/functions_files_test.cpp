// Examples of docs/functions/: files.

#include <doctest/doctest.h>

#include "../io/folder.hpp"
#include "../io/tokenizer_files.hpp"

#include <tenon/io/json/value.hpp>
#include <tenon/io/npy.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/io/tokenizer.hpp>
#include <tenon/tenon.hpp>

namespace functions_files_test {

using namespace tenon;

struct Line {
  Float32<"feature=2"> weight;
  Float32<""> bias;
};

TEST_CASE("files") {
  Folder const folder;
  std::filesystem::path const path = folder / "line.safetensors";

  save(path, Line{{2, -1}, 3});
  auto const line = load<Line>(path);
  CHECK(line.weight(0) == 2);

  save(path, Line{{2, -1}, 3}, {{"author", "me"}});
  CHECK(load_metadata(path).at("author") == "me");

  Metadata const notes{{"author", "me"}};
  save(path, line, notes);
  CHECK(load_metadata(path) == notes);

  safetensors::Writer().add("fc1.bias", Float32<"out">{1, 2}).save(path);
  safetensors::File const file(path);
  CHECK(file.load<Float32<"out">>("fc1.bias")(1) == 2);

  save(path, Line{{2, -1}, 3});
  auto const loose = load<Line>(path, LoadOptions{.ignore_extra = true});
  CHECK(loose.bias.item() == 3);

  npy::save(folder / "x.npy", Float32<"row column=2">{{1, 2}, {3, 4}});
  CHECK(npy::load_contents(folder / "x.npy") == "float32 \"2 2\"");
  auto const x = npy::load<Float32<"row column=2">>(folder / "x.npy");
  CHECK(x(1, 0) == 3);

  npy::Mapped<Float32<"row column=2">> const mapped(folder / "x.npy");
  CHECK(sum(mapped.view()).item() == 10);

  write_bytes(folder / "config.json", R"({"hidden_size": 64, "rope_scaling": null})");
  auto const config = load_json(folder / "config.json");
  CHECK(config.at("hidden_size").integer(1) == 64);

  write_bytes(folder / "tokenizer.json", tokenizer_files::text_of({}));
  Tokenizer const tokenizer(folder / "tokenizer.json");
  CHECK(tokenizer.decode(tokenizer.encode("Größe")) == "Größe");
}

}  // namespace functions_files_test
