// IDX files, written byte by byte: their dtypes, and files that are refused.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data/idx.hpp>

#include "../io/folder.hpp"

namespace data_idx_test {

using namespace tenon;
using namespace std::string_literals;

namespace {

template <class X>
X loaded(std::string const& bytes) {
  Folder const folder;
  write_bytes(folder / "x.idx", bytes);
  return idx::load<X>(folder / "x.idx");
}

template <class X>
std::string words(std::string const& bytes) {
  Folder const folder;
  write_bytes(folder / "x.idx", bytes);
  return words_of<Error>([&] { (void)idx::load<X>(folder / "x.idx"); });
}

/// A file that is refused, and the words of the message between "idx::load: " and the name.
struct Refused {
  std::string bytes;
  std::string words;
};

std::string const no_header =
    "expected an IDX file with a whole header, got the end of the file in it";
std::string const zeros_first = "expected an IDX file, which begins with two zeros, got ";
std::string const no_code = "expected a code of a dtype, 0x08, 0x09 or 0x0b to 0x0e, got ";
std::string const axes = "expected uint8 \"n 2\", got ";

std::string size_words(std::string const& wanted, std::string const& got) {
  return "expected " + wanted + " bytes of elements for its sizes, got " + got + " bytes";
}

std::vector<Refused> damaged() {
  return {
      {"", no_header},
      {"\0"s, no_header},
      {"\0\0"s, no_header},
      {"\0\0\x08"s, no_header},
      {"\0\0\x08\x01"s, no_header},
      {"\0\0\x08\x01\0"s, no_header},
      {"\0\0\x08\x01\0\0\0"s, no_header},
      {"\0\0\x08\x02\0\0\0\1\0\0\0"s, no_header},
      {"\0\0\x08\x08\0\0\0\1"s, no_header},
      {"\1\0\x08\1\0\0\0\1a"s, zeros_first + "0x01 0x00"},
      {"\0\1\x08\1\0\0\0\1a"s, zeros_first + "0x00 0x01"},
      {"P5\n28 28\n255\n", zeros_first + "0x50 0x35"},
      {"\x93NUMPY\1\0v\0{}"s, zeros_first + "0x93 0x4e"},
      {"PK\3\4\x14\0\0\0"s, zeros_first + "0x50 0x4b"},
      {"\xff\xff\xff\xff", zeros_first + "0xff 0xff"},
      {"<html>not found</html>", zeros_first + "0x3c 0x68"},
      {"\x1f\x8b\x08\x08\0\0"s, "expected an IDX file, got a gzip file, which gunzip decompresses"},
      {"\0\0\0\1\0\0\0\1a"s, no_code + "0x00"},
      {"\0\0\x07\1\0\0\0\1a"s, no_code + "0x07"},
      {"\0\0\x0a\1\0\0\0\1a"s, no_code + "0x0a"},
      {"\0\0\x0f\1\0\0\0\1a"s, no_code + "0x0f"},
      {"\0\0\xff\1\0\0\0\1a"s, no_code + "0xff"},
      {"\0\0\x08\x09"s + std::string(36, '\0'), "expected at most 8 axes, got 9"},
      {"\0\0\x08\xff"s + std::string(2000, '\1'), "expected at most 8 axes, got 255"},
      {"\0\0\x08\1\0\0\0\3ab"s, size_words("3", "2")},
      {"\0\0\x08\1\0\0\0\3abcd"s, size_words("3", "4")},
      {"\0\0\x08\1\0\0\0\0a"s, size_words("0", "1")},
      {"\0\0\x08\0"s, size_words("1", "0")},
      {"\0\0\x08\0ab"s, size_words("1", "2")},
      {"\0\0\x08\2\0\0\0\2\0\0\0\2abc"s, size_words("4", "3")},
      {"\0\0\x0b\1\0\0\0\2abc"s, size_words("4", "3")},
      {"\0\0\x0e\1\0\0\0\1abcdefg"s, size_words("8", "7")},
      {"\0\0\x08\1\xff\xff\xff\xff"
       "a"s,
       size_words("4294967295", "1")},
      {"\0\0\x0e\1\xff\xff\xff\xff"s, size_words("34359738360", "0")},
      {"\0\0\x08\2\xff\xff\xff\xff\xff\xff\xff\xff"s,
       "expected sizes of less than 2^60 bytes, got others"},
      {"\0\0\x0e\x08"s + std::string(32, '\xff'),
       "expected sizes of less than 2^60 bytes, got others"},
      {"\0\0\x08\3\0\0\0\0\xff\xff\xff\xff\0\0\0\2"s, axes + "uint8 \"0 4294967295 2\""},
      {"\0\0\x08\1\0\0\0\2ab"s, axes + "uint8 \"2\""},
      {"\0\0\x08\2\0\0\0\1\0\0\0\3abc"s, axes + "uint8 \"1 3\""},
      {"\0\0\x08\3\0\0\0\1\0\0\0\2\0\0\0\1ab"s, axes + "uint8 \"1 2 1\""},
      {"\0\0\x09\2\0\0\0\1\0\0\0\2ab"s, axes + "int8 \"1 2\""},
      {"\0\0\x0b\2\0\0\0\1\0\0\0\2abcd"s, axes + "int16 \"1 2\""},
      {"\0\0\x0d\2\0\0\0\1\0\0\0\2abcdefgh"s, axes + "float32 \"1 2\""},
      {"\0\0\x08\0a"s, axes + "uint8 \"\""},
  };
}

}  // namespace

TEST_CASE("images have the sizes of the file and the names of the type") {
  auto const x = loaded<UInt8<"image 2 3">>(
      "\0\0\x08\3\0\0\0\2\0\0\0\2\0\0\0\3\0\1\2\3\4\5\xff\7\x08\t\n\x0b"s);
  CHECK(x.sizes()[0] == 2);
  CHECK(x(0, 1, 2) == 5);
  CHECK(x(1, 0, 0) == 255);
  CHECK(x(1, 1, 2) == 11);
}

TEST_CASE("all dtypes of the format are read, from big-endian numbers") {
  CHECK(loaded<Int8<"n">>("\0\0\x09\1\0\0\0\2\x80\x7f"s)(0) == -128);
  auto const shorts = loaded<Int16<"n">>("\0\0\x0b\1\0\0\0\2\x01\x02\xff\xfe"s);
  CHECK(shorts(0) == 258);
  CHECK(shorts(1) == -2);
  auto const ints = loaded<Int32<"n">>("\0\0\x0c\1\0\0\0\2\1\2\3\4\x80\0\0\0"s);
  CHECK(ints(0) == 0x01020304);
  CHECK(ints(1) == -2147483647 - 1);
  auto const floats =
      loaded<Float32<"n=3">>("\0\0\x0d\1\0\0\0\3\x3f\xc0\0\0\xff\x80\0\0\x7f\xc0\0\0"s);
  CHECK(floats(0) == 1.5f);
  CHECK(floats(1) == -INFINITY);
  CHECK(std::isnan(floats(2)));
  auto const doubles = loaded<Float64<"n">>("\0\0\x0e\1\0\0\0\1\x40\x09\x21\xfb\x54\x44\x2d\x18"s);
  CHECK(doubles(0) == 3.141592653589793);
}

TEST_CASE("no elements, one element without axes, eight axes") {
  CHECK(loaded<UInt8<"n 28">>("\0\0\x08\2\0\0\0\0\0\0\0\x1c"s).sizes()[0] == 0);
  CHECK(loaded<Int16<"">>("\0\0\x0b\0\x01\0"s).item() == 256);
  std::string const ones = "\0\0\0\1"s;
  std::string sizes;
  for (int i = 0; i < 8; ++i) sizes += ones;
  CHECK(loaded<UInt8<"a b c d e f g h">>("\0\0\x08\x08"s + sizes + "\7")(0, 0, 0, 0, 0, 0, 0, 0) ==
        7);
}

TEST_CASE("damaged files and files of other arrays are refused in one line") {
  CHECK(damaged().size() >= 40);
  for (Refused const& file : damaged()) {
    std::string const message = words<UInt8<"n 2">>(file.bytes);
    CHECK(message == "tenon::idx::load: " + file.words + " (x.idx)");
    CHECK(message.find('\n') == message.npos);
  }
}

TEST_CASE("a file that is missing, or a folder, is refused") {
  Folder const folder;
  CHECK(
      words_of<FileError>([&] { (void)idx::load<UInt8<"n">>(folder / "x.idx"); }) ==
      "tenon::idx::load: expected a file that can be read, got No such file or directory (x.idx)");
  std::filesystem::create_directory(folder / "x.idx");
  CHECK(words_of<FileError>([&] { (void)idx::load<UInt8<"n">>(folder / "x.idx"); }) ==
        "tenon::idx::load: expected a file, got a directory (x.idx)");
}

TEST_CASE("the contents of a file are its dtype and its sizes") {
  Folder const folder;
  write_bytes(folder / "x.idx", "\0\0\x0b\2\0\0\0\1\0\0\0\2abcd"s);
  CHECK(idx::load_contents(folder / "x.idx") == "int16 \"1 2\"");
}

}  // namespace data_idx_test
