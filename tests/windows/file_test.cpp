// Files on Windows: an open file is not replaced; file names; no conversion of line endings.

#include <doctest/doctest.h>

#include <filesystem>

#include "../io/folder.hpp"

#include <tenon/io/safetensors.hpp>

namespace windows_file_test {

using namespace tenon;

namespace {

std::string said_of_saving(std::filesystem::path const& path) {
  return words_of<FileError>([&] { save(path, Float32<"n">{2}); });
}

}  // namespace

TEST_CASE("a file that is open is not replaced") {
  Folder const folder;
  save(folder / "s", Float32<"n">{1});
  {
    InputFile const open(folder / "s");
    CHECK(said_of_saving(folder / "s") ==
          "tenon::save: expected a file that can be written, got Permission denied (s)");
  }
  CHECK(folder.count() == 1);
  CHECK(load<Float32<"n">>(folder / "s")(0) == 1);
  CHECK(said_of_saving(folder / "s") == "nothing");
  CHECK(load<Float32<"n">>(folder / "s")(0) == 2);
}

TEST_CASE("a device is not loaded; names may have letters of any language") {
  CHECK(words_of<FileError>([&] { load<Float32<"n">>("NUL"); }) ==
        "tenon::load: expected a file, got a device or a pipe (NUL)");
  Folder const folder;
  auto const path = folder / "" / std::filesystem::path(u8"\u03b1\u6587.safetensors");
  save(path, Float32<"n">{3});
  CHECK(load<Float32<"n">>(path)(0) == 3);
}

TEST_CASE("line ends and the end mark of text files are data") {
  Folder const folder;
  UInt8<"n"> const bytes{10, 13, 10, 26, 0, 255};
  save(folder / "s", bytes);
  CHECK(all(load<UInt8<"n">>(folder / "s") == bytes).item());
}

}  // namespace windows_file_test
