// Files of POSIX: links, permissions, devices, names of any characters.

#if !defined(_WIN32)

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "folder.hpp"

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/safetensors.hpp>

namespace posix_file_test {

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

TEST_CASE("a device is neither loaded nor replaced") {
  Folder const folder;
  std::filesystem::create_symlink("/dev/null", folder / "null");
  CHECK(words_of<FileError>([&] { load<Float32<"n">>(folder / "null"); }) ==
        "tenon::load: expected a file, got a device or a pipe (null)");
  CHECK(words_of<FileError>([&] { save(folder / "null", Float32<"n">{1}); }) ==
        "tenon::save: expected the name of a file, got that of a device or a pipe (null)");
  CHECK(folder.count() == 1);
}

TEST_CASE("control characters in the name of a file are escaped in messages") {
  Folder const folder;
  write_bytes(folder / "x\ny", "");
  CHECK(words_of<FileError>([&] { load<Float32<"n">>(folder / "x\ny"); }).find("(x\\x0ay)") !=
        std::string::npos);
}

}  // namespace posix_file_test

#endif
