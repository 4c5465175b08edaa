// External data whose names are symbolic links.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../folder.hpp"
#include "initializers.hpp"

#include <tenon/io/file.hpp>
#include <tenon/io/onnx.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/tenon.hpp>

namespace links_onnx_test {

using namespace tenon;
using namespace tenon::internal::onnx;

TEST_CASE("external data behind a link are loaded from the folder of the model alone") {
  Folder const folder;
  auto const inside = folder / "model", outside = folder / "other";
  for (auto const& path : {inside, outside, inside / "blobs"})
    std::filesystem::create_directory(path);
  Model model{};
  model.opset_imports = {{"", 17}};
  model.graph.initializers = initializers_of(full<Float32<"n">>(3.0f, 1000));
  internal::onnx::write(model, inside / "x", {.most_bytes_inside = 0});
  auto const value = [](std::filesystem::path const& path) {
    return tenon::onnx::load<Float32<"n">>(path)(999);
  };
  std::string const expected =
      "tenon::onnx::load: 'value': expected external data in the folder of the model, got "
      "'x.data', a link to another (x)";
  std::filesystem::rename(inside / "x.data", outside / "x.data");
  std::filesystem::create_symlink("../other/x.data", inside / "x.data");
  CHECK(words_of<FileError>([&] { value(inside / "x"); }) == expected);
  std::filesystem::remove(inside / "x.data");
  std::filesystem::rename(outside / "x.data", inside / "blobs/x.data");
  std::filesystem::create_symlink("blobs/x.data", inside / "x.data");
  CHECK(value(inside / "x") == 3);
  std::filesystem::rename(inside / "x", inside / "blobs/x");  // a cache: both are links
  std::filesystem::create_symlink("../model/blobs/x", outside / "x");
  std::filesystem::create_symlink("../model/blobs/x.data", outside / "x.data");
  CHECK(value(outside / "x") == 3);
}

TEST_CASE("a file in a linked folder is not beside a model whose folder is another") {
  Folder const folder;
  auto const inside = folder / "model";
  std::filesystem::create_directory(inside), std::filesystem::create_directory(folder / "other");
  write_bytes(folder / "other/data", std::string(4, 'x'));
  std::filesystem::create_directory_symlink("../other", inside / "sub");
  CHECK(internal::is_beside(inside / "none", inside / "x"));
  CHECK(!internal::is_beside(inside / "sub/data", inside / "x"));
  CHECK(internal::is_beside(inside / "sub/data", folder / "x"));
}

}  // namespace links_onnx_test
