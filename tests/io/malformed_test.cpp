// Malformed files, and files that do not fit the tree: each is a clear error, without any
// allocation for tensors.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "folder.hpp"
#include "malformed.hpp"

#include <tenon/io/safetensors.hpp>

namespace malformed_test {

using namespace tenon;

namespace {

struct One {
  UInt8<"n"> a;
};

/// The message of loading the file, without "tenon::load: " and the file name.
std::string message_of(std::filesystem::path const& path) {
  auto const before = tenon::memory::bytes_in_use();
  std::string words = words_of<FileError>([&] { load<One>(path); });
  CHECK(tenon::memory::bytes_in_use() == before);
  std::string_view const start = "tenon::load: ";
  REQUIRE(words.starts_with(start));
  REQUIRE(words.find("(x") != words.npos);
  words.erase(0, start.size());
  return words.substr(0, words.rfind(" (x"));
}

std::string said_of_bytes(std::string_view bytes) {
  Folder const folder;
  write_bytes(folder / "x", bytes);
  return message_of(folder / "x");
}

void check_all(auto const& files) {
  for (Malformed const& file : files) {
    std::string const shown = file.header.substr(0, 200);
    CAPTURE(shown);
    Folder const folder;
    write_file(folder / "x", file.header, std::string(file.data_bytes, '\1'));
    CHECK(message_of(folder / "x") == file.words);
  }
}

}  // namespace

TEST_CASE("the error for a header that is not JSON has the position") {
  check_all(not_json);
  Folder const folder;
  write_file(folder / "x", "{\"a\":1}", "");
  CHECK(words_of<FileError>([&] { load<One>(folder / "x"); }) ==
        "tenon::load: expected '{', got '1' (x, byte 5 of the header)");
}

TEST_CASE("a JSON header that does not describe tensors throws") { check_all(no_entries); }

TEST_CASE("tensors that do not fill the data contiguously throw") { check_all(not_laid_out); }

TEST_CASE("a file too short for its header throws without an allocation") {
  CHECK(said_of_bytes("") == "expected a safetensors file, of at least 8 bytes, got 0 bytes");
  CHECK(said_of_bytes("1234567") ==
        "expected a safetensors file, of at least 8 bytes, got 7 bytes");
  CHECK(said_of_bytes(eight_bytes(0)) == "expected '{', got the end of the header");
  CHECK(said_of_bytes(eight_bytes(3) + "{}") ==
        "expected a header of at most 2 bytes, the rest of the file, got 3 bytes");
  CHECK(said_of_bytes(eight_bytes(100'000'000) + "{}") ==
        "expected a header of at most 2 bytes, the rest of the file, got 100000000 bytes");
  CHECK(said_of_bytes(eight_bytes(100'000'001) + "{}") ==
        "expected a header of at most 100000000 bytes, got 100000001 bytes");
  CHECK(said_of_bytes(eight_bytes(~std::uint64_t{0}) + "{}") ==
        "expected a header of at most 100000000 bytes, got 18446744073709551615 bytes");
  CHECK(said_of_bytes("{\"weight\": [1, 2]}") ==
        "expected a header of at most 100000000 bytes, got 8388068008349082235 bytes");
}

TEST_CASE("a header that is not UTF-8 throws") {
  for (std::string_view const bad : {"\xff", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xc3",
                                     "\xf5\x80\x80\x80", "\x80", "\xf0\x9d\x84"}) {
    Folder const folder;
    write_file(folder / "x", std::string("{\"") + std::string(bad), "");
    CHECK(message_of(folder / "x") == "expected a header of UTF-8, got other bytes");
  }
}

TEST_CASE("every truncation of a valid file throws") {
  Folder const folder;
  save(folder / "good", One{{1, 2, 3}});
  std::string const bytes = read_bytes(folder / "good");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_bytes(folder / "x", std::string_view(bytes).substr(0, size));
    CHECK_THROWS_AS(load<One>(folder / "x"), FileError);
  }
}

TEST_CASE("a change of any byte of the header gives an error or a tree, never a crash") {
  Folder const folder;
  save(folder / "good", One{{1, 2, 3}}, {{"note", "text"}});
  std::string const bytes = read_bytes(folder / "good");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (char const byte : {'\0', '"', '9', '{', ']', ',', '\\', '\x80', '\xff'}) {
      std::string changed = bytes;
      changed[at] = byte;
      write_bytes(folder / "x", changed);
      auto const load_it = [&] { load<One>(folder / "x"); };
      std::string const words = words_of<Error>(load_it);
      CHECK((words == "nothing" || words.starts_with("tenon::load: ")));
    }
  }
}

TEST_CASE("a path that is not a file cannot be loaded") {
  Folder const folder;
  CHECK(message_of(folder / "x") ==
        "expected a file that can be read, got No such file or directory");
  std::filesystem::create_directory(folder / "x");
  CHECK(message_of(folder / "x") == "expected a file, got a directory");
}

TEST_CASE("a bool byte other than 0 and 1 throws") {
  Folder const folder;
  write_file(folder / "x", "{\"value\":" + entry("BOOL", "[3]", "[0,3]") + "}", "\1\1\2");
  CHECK(words_of<FileError>([&] { load<Mask<"n">>(folder / "x"); }) ==
        "tenon::load: 'value': expected 0 or 1 for a bool, got the byte 2 (x)");
  write_file(folder / "x", "{\"value\":" + entry("BOOL", "[]", "[0,1]") + "}", "\xff");
  CHECK(words_of<FileError>([&] { load<Mask<"">>(folder / "x"); }) ==
        "tenon::load: 'value': expected 0 or 1 for a bool, got the byte 255 (x)");
}

TEST_CASE("control characters in names from a file are escaped in messages") {
  Folder const folder;
  std::string const entry = R"(:{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  write_file(folder / "x", R"({"\u001b[31m\nred\u009b")" + entry + "}", "\1");
  CHECK(
      words_of<FileError>([&] { load<One>(folder / "x", {.keep_missing = true}); }) ==
      R"(tenon::load: '\x1b[31m\x0ared\xc2\x9b': expected no tensor of that name, got uint8 "1" (x))");
  write_file(folder / "x", R"({"a":{"\u001b[31m":0}})", "");
  CHECK(
      words_of<FileError>([&] { load<One>(folder / "x"); }) ==
      R"(tenon::load: expected dtype, shape or data_offsets, got '\x1b[31m' (x, byte 19 of the header))");
}

}  // namespace malformed_test
