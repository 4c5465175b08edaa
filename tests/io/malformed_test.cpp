// Files that are no safetensors files, or not of this tree: each a clear error, and nothing
// allocated for tensors.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "folder.hpp"

#include <tenon/io/safetensors.hpp>

using namespace tenon;

namespace {

struct Malformed {
  std::string header;
  std::size_t data_bytes;
  std::string_view words;
};

struct One {
  UInt8<"n"> a;
};

/// What loading the file says, without "tenon::load: " and the file.
std::string said(std::filesystem::path const& path) {
  auto const before = memory::bytes_in_use();
  std::string words = words_of<FileError>([&] { load<One>(path); });
  CHECK(memory::bytes_in_use() == before);
  std::string_view const start = "tenon::load: ";
  REQUIRE(words.starts_with(start));
  REQUIRE(words.find("(x") != words.npos);
  words.erase(0, start.size());
  return words.substr(0, words.rfind(" (x"));
}

std::string said_of_bytes(std::string_view bytes) {
  Folder const folder;
  write_bytes(folder / "x", bytes);
  return said(folder / "x");
}

std::string entry(std::string const& dtype, std::string const& shape, std::string const& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
std::string one(std::string const& dtype, std::string const& shape, std::string const& offsets) {
  return "{\"a\":" + entry(dtype, shape, offsets) + "}";
}
std::string two(std::string const& first, std::string const& second) {
  return "{\"a\":" + entry("U8", "[4]", first) + ",\"b\":" + entry("U8", "[4]", second) + "}";
}
std::string repeated(std::string const& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

Malformed const not_json[] = {
    {"", 0, "expected '{', got the end of the header"},
    {"   ", 0, "expected '{', got the end of the header"},
    {"x", 0, "expected '{', got 'x'"},
    {"\x01", 0, "expected '{', got the control character 1"},
    {"[]", 0, "expected '{', got '['"},
    {"null", 0, "expected '{', got 'n'"},
    {"{", 0, "expected a string, got the end of the header"},
    {"{}}", 0, "expected nothing more, got '}'"},
    {"{} {}", 0, "expected nothing more, got '{'"},
    {std::string("{}\0", 3), 0, "expected nothing more, got the control character 0"},
    {"{a:1}", 0, "expected a string, got 'a'"},
    {"{1:1}", 0, "expected a string, got '1'"},
    {"{\"a\" {}}", 0, "expected ':', got '{'"},
    {"{\"a", 0, "expected the end of a string, got the end of the header"},
    {"{\"a\\", 0, "expected an escape of JSON, got the end of the header"},
    {"{\"a\n\":1}", 0,
     "expected a string without control characters, got the control character 10"},
    {"{\"\\x41\":1}", 0, "expected an escape of JSON, got 'x'"},
    {"{\"\\u00g1\":1}", 0, "expected four hexadecimal digits, got 'g'"},
    {"{\"\\u12", 0, "expected four hexadecimal digits, got the end of the header"},
    {"{\"\\udc00\":1}", 0, "expected the two halves of a surrogate pair, got '\"'"},
    {"{\"\\ud800\":1}", 0, "expected the two halves of a surrogate pair, got '\"'"},
    {"{\"\\ud800\\u0041\":1}", 0, "expected the second half of a surrogate pair, got '\"'"},
    {one("U8", "[1]", "[0,1]") + "x", 1, "expected nothing more, got 'x'"},
    {"{\"a\":" + entry("U8", "[1]", "[0,1]") + ",}", 1, "expected a string, got '}'"},
    {"{\"a\":" + entry("U8", "[1]", "[0,1]"), 1, "expected ',' or '}', got the end of the header"},
};

Malformed const no_entries[] = {
    {"{\"a\":1}", 0, "expected '{', got '1'"},
    {"{\"a\":null}", 0, "expected '{', got 'n'"},
    {"{\"a\":" + repeated("[", 100000), 0, "expected '{', got '['"},
    {repeated("{\"a\":", 100000), 0, "expected dtype, shape or data_offsets, got 'a'"},
    {"{\"a\":{}}", 0, "expected a dtype, got none"},
    {"{\"a\":{\"dtype\":\"U8\"}}", 0, "expected a shape, got none"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "expected data_offsets, got none"},
    {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0,
     "expected every name once, got 'dtype' again"},
    {"{\"a\":{\"size\":1}}", 0, "expected dtype, shape or data_offsets, got 'size'"},
    {one("U7", "[1]", "[0,1]"), 1, "expected a dtype of safetensors, got 'U7'"},
    {one("", "[1]", "[0,1]"), 1, "expected a dtype of safetensors, got ''"},
    {"{\"a\":{\"dtype\":8}}", 0, "expected a string, got '8'"},
    {one("U8", "1", "[0,1]"), 1, "expected '[', got '1'"},
    {one("U8", "[-1]", "[0,1]"), 1, "expected a whole number, got '-'"},
    {one("U8", "[1.0]", "[0,1]"), 1, "expected a whole number, got '.'"},
    {one("U8", "[1e0]", "[0,1]"), 1, "expected a whole number, got 'e'"},
    {one("U8", "[\"1\"]", "[0,1]"), 1, "expected a whole number, got '\"'"},
    {one("U8", "[01]", "[0,1]"), 1, "expected a number without leading zeros, got 01"},
    {one("U8", "[1,]", "[0,1]"), 1, "expected a whole number, got ']'"},
    {one("U8", "[1 1]", "[0,1]"), 1, "expected ',' or ']', got '1'"},
    {one("U8", "[1", "[0,1]"), 1, "expected a whole number, got '\"'"},
    {one("U8", "[9223372036854775808]", "[0,1]"), 1,
     "expected a number below 2^63, got 9223372036854775808"},
    {one("U8", "[99999999999999999999999999]", "[0,1]"), 1,
     "expected a number below 2^63, got 99999999999999999999999999"},
    {one("U8", "[9223372036854775807]", "[0,1]"), 1,
     "expected a size of at most 2^53, got 9223372036854775807"},
    {one("U8", "[0,9223372036854775807]", "[0,0]"), 0,
     "expected a size of at most 2^53, got 9223372036854775807"},
    {one("U8", "[" + repeated("1,", 64) + "1]", "[0,1]"), 1, "expected at most 64 axes, got more"},
    {one("U8", "[1]", "[0]"), 1, "expected ',', got ']'"},
    {one("U8", "[1]", "[0,1,2]"), 1, "expected ']', got ','"},
    {one("U8", "[1]", "[-1,0]"), 1, "expected a whole number, got '-'"},
    {one("U8", "[1]", "{}"), 1, "expected '[', got '{'"},
    {"{\"__metadata__\":[]}", 0, "expected '{', got '['"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "expected a string, got '1'"},
    {"{\"__metadata__\":" + entry("U8", "[1]", "[0,1]") + "}", 1, "expected a string, got '['"},
    {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, "expected every name once, got 'a' again"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0,
     "expected every name once, got '__metadata__' again"},
    {"{\"a\":" + entry("U8", "[1]", "[0,1]") + ",\"\\u0061\":" + entry("U8", "[1]", "[1,2]") + "}",
     2, "expected every name once, got 'a' again"},
};

Malformed const not_laid_out[] = {
    {"{}", 1, "expected 0 bytes of data, as the header says, got 1 bytes"},
    {one("U8", "[4]", "[0,4]"), 5, "expected 4 bytes of data, as the header says, got 5 bytes"},
    {one("U8", "[4]", "[0,4]"), 3, "'a': expected offsets up to 3, got 0..4"},
    {one("U8", "[4]", "[0,4]"), 0, "'a': expected offsets up to 0, got 0..4"},
    {one("U8", "[4]", "[1,5]"), 5, "'a': expected offsets from 0, got 1..5"},
    {one("U8", "[4]", "[4,0]"), 4, "'a': expected offsets in order, got 4..0"},
    {one("U8", "[4]", "[0,9223372036854775807]"), 4,
     "'a': expected offsets up to 4, got 0..9223372036854775807"},
    {one("F32", "[4]", "[0,4]"), 4, "'a': expected 16 bytes for its shape, got 4 bytes"},
    {one("U8", "[]", "[0,0]"), 0, "'a': expected 1 bytes for its shape, got 0 bytes"},
    {one("U8", "[0]", "[0,1]"), 1, "'a': expected 0 bytes for its shape, got 1 bytes"},
    {one("F64", "[9007199254740992,9007199254740992]", "[0,8]"), 8,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {one("U8", "[4294967296,4294967296,1]", "[0,0]"), 0,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {one("U8", "[0,4294967296,4294967296]", "[0,0]"), 0,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {one("F4", "[3]", "[0,1]"), 1,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {two("[0,4]", "[5,9]"), 9, "'b': expected offsets from 4, got 5..9"},
    {two("[0,4]", "[3,7]"), 7, "'b': expected offsets from 4, got 3..7"},
    {two("[0,4]", "[0,4]"), 4, "'b': expected offsets from 4, got 0..4"},
    {two("[4,8]", "[5,9]"), 9, "'a': expected offsets from 0, got 4..8"},
};

void check_all(auto const& files) {
  for (Malformed const& file : files) {
    std::string const shown = file.header.substr(0, 200);
    CAPTURE(shown);
    Folder const folder;
    write_file(folder / "x", file.header, std::string(file.data_bytes, '\1'));
    CHECK(said(folder / "x") == file.words);
  }
}

}  // namespace

TEST_CASE("a header that is not JSON is refused, with the place") {
  check_all(not_json);
  Folder const folder;
  write_file(folder / "x", "{\"a\":1}", "");
  CHECK(words_of<FileError>([&] { load<One>(folder / "x"); }) ==
        "tenon::load: expected '{', got '1' (x, byte 5 of the header)");
}

TEST_CASE("a header that is JSON, but not of tensors, is refused") { check_all(no_entries); }

TEST_CASE("tensors that do not fill the data one after the other are refused") {
  check_all(not_laid_out);
}

TEST_CASE("a file without room for its header is refused, and no memory is taken for it") {
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

TEST_CASE("a header that is not UTF-8 is refused") {
  for (std::string_view const bad : {"\xff", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xc3",
                                     "\xf5\x80\x80\x80", "\x80", "\xf0\x9d\x84"}) {
    Folder const folder;
    write_file(folder / "x", std::string("{\"") + std::string(bad), "");
    CHECK(said(folder / "x") == "expected a header of UTF-8, got other bytes");
  }
}

TEST_CASE("every truncation of a good file is refused") {
  Folder const folder;
  save(folder / "good", One{{1, 2, 3}});
  std::string const bytes = read_bytes(folder / "good");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_bytes(folder / "x", std::string_view(bytes).substr(0, size));
    CHECK_THROWS_AS(load<One>(folder / "x"), FileError);
  }
}

TEST_CASE("every change of a byte of the header gives an error or a tree, never a crash") {
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

TEST_CASE("what is no file cannot be loaded") {
  Folder const folder;
  CHECK(said(folder / "x") == "expected a file that can be read, got No such file or directory");
  std::filesystem::create_directory(folder / "x");
  CHECK(said(folder / "x") == "expected a file, got a directory");
  std::filesystem::create_symlink("/dev/null", folder / "xx");
  CHECK(words_of<FileError>([&] { load<One>(folder / "xx"); }) ==
        "tenon::load: expected a file, got a device or a pipe (xx)");
}

TEST_CASE("a byte that is neither 0 nor 1 is no bool") {
  Folder const folder;
  write_file(folder / "x", "{\"value\":" + entry("BOOL", "[3]", "[0,3]") + "}", "\1\1\2");
  CHECK(words_of<FileError>([&] { load<Mask<"n">>(folder / "x"); }) ==
        "tenon::load: 'value': expected 0 or 1 for a bool, got the byte 2 (x)");
  write_file(folder / "x", "{\"value\":" + entry("BOOL", "[]", "[0,1]") + "}", "\xff");
  CHECK(words_of<FileError>([&] { load<Mask<"">>(folder / "x"); }) ==
        "tenon::load: 'value': expected 0 or 1 for a bool, got the byte 255 (x)");
}
