// What a save replaces, and the partial files of other writers.

#include <doctest/doctest.h>

#include <filesystem>

#include "folder.hpp"

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/safetensors.hpp>

namespace replaced_file_test {

using namespace tenon;
using namespace tenon::internal;

TEST_CASE("partial files of dead processes are removed, those of living ones are kept") {
  Folder const folder;
  write_bytes(folder / "s.partial-1-0", "abandoned");
  write_bytes(folder / "other.partial-1-0", "of another target");
  {
    AtomicFile living(folder / "s");
    living.write("new");
    CHECK(folder.count() == 2);
    save(folder / "s", Float32<"n">{1});
    CHECK(folder.count() == 3);
    living.commit();
  }
  CHECK(read_bytes(folder / "s") == "new");
  CHECK(folder.count() == 2);
}

TEST_CASE("an invalid file name throws") {
  Folder const folder;
  auto const saving = [](std::filesystem::path const& path) {
    return words_of<FileError>([&] { save(path, Float32<"n">{1}); });
  };
  CHECK(saving(folder / "none" / "x") ==
        "tenon::save: expected a file that can be written, got No such file or directory (x)");
  std::filesystem::create_directory(folder / "x");
  CHECK(saving(folder / "x") ==
        "tenon::save: expected a file that can be written, got Is a directory (x)");
  CHECK(folder.count() == 1);
}

TEST_CASE("a relative name is relative to the current directory") {
  Folder const folder;
  auto const before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  save("x.safetensors", Float32<"n">{3});
  CHECK(load<Float32<"n">>("x.safetensors")(0) == 3);
  std::filesystem::current_path(before);
}

}  // namespace replaced_file_test
