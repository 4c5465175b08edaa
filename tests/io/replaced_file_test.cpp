// What a save replaces and what it keeps: links, permissions, partial files of other writers.

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "folder.hpp"

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/safetensors.hpp>

namespace replaced_file_test {

using namespace tenon;
using namespace tenon::internal;

TEST_CASE("a symbolic link is kept, and its target replaced") {
  Folder const folder;
  save(folder / "real", Float32<"n">{1});
  std::filesystem::create_symlink("real", folder / "link");
  save(folder / "link", Float32<"n">{2});
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(load<Float32<"n">>(folder / "real")(0) == 2);
  CHECK(folder.count() == 2);
}

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

TEST_CASE("permissions and owner of a replaced file are kept") {
  Folder const folder;
  auto const path = folder / "s";
  save(path, Float32<"n">{1});
  for (mode_t const mode : {0600u, 0640u, 0604u, 0777u}) {
    CHECK(::chmod(path.c_str(), mode) == 0);
    bool const is_root = ::geteuid() == 0;
    if (is_root) CHECK(::chown(path.c_str(), 12345, 23456) == 0);
    save(path, Float32<"n">{2});
    struct stat status {};
    CHECK(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == mode);
    CHECK(status.st_uid == (is_root ? 12345 : ::geteuid()));
  }
}

TEST_CASE("the temporary file that replaces a private file is private") {
  Folder const folder;
  save(folder / "s", Float32<"n">{1});
  CHECK(::chmod((folder / "s").c_str(), 0600) == 0);
  AtomicFile const file(folder / "s");
  for (auto const& entry : std::filesystem::directory_iterator(folder / "")) {
    CHECK((std::filesystem::status(entry).permissions() & std::filesystem::perms(0077)) ==
          std::filesystem::perms::none);
  }
}

TEST_CASE("a link to a missing file is followed; a cycle of links throws") {
  Folder const folder;
  std::filesystem::create_directory(folder / "deep");
  std::filesystem::create_symlink("deep/second", folder / "first");
  std::filesystem::create_symlink("real", folder / "deep/second");
  save(folder / "first", Float32<"n">{4});
  CHECK(std::filesystem::is_symlink(folder / "first"));
  CHECK(std::filesystem::is_symlink(folder / "deep/second"));
  CHECK(load<Float32<"n">>(folder / "deep/real")(0) == 4);
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK(words_of<FileError>([&] { save(folder / "circle", Float32<"n">{1}); }) ==
        "tenon::save: expected a file that can be written, got "
        "Too many levels of symbolic links (circle)");
}

TEST_CASE("an invalid file name throws") {
  Folder const folder;
  auto const saving = [](std::filesystem::path const& path) {
    return words_of<FileError>([&] { save(path, Float32<"n">{1}); });
  };
  CHECK(saving(folder / "none/x") ==
        "tenon::save: expected a file that can be written, got No such file or directory (x)");
  std::filesystem::create_directory(folder / "x");
  CHECK(saving(folder / "x") ==
        "tenon::save: expected a file that can be written, got Is a directory (x)");
  std::filesystem::create_symlink("/dev/null", folder / "null");
  CHECK(saving(folder / "null") ==
        "tenon::save: expected the name of a file, got that of a device or a pipe (null)");
  CHECK(folder.count() == 2);
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
