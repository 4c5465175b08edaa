// Text files in memory: windows, lines, and how long their elements are valid.

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>

#include "../io/folder.hpp"

namespace data_text_file_test {

using namespace tenon;
using namespace tenon::training;

namespace {

TextFile file_of(std::string_view text) {
  Folder const folder;
  write_bytes(folder / "x.txt", text);
  return TextFile(folder / "x.txt");  // the memory remains after the file is removed
}

template <class Source>
std::vector<std::string> all_of(Source const& source) {
  std::vector<std::string> all;
  all.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) all.emplace_back(source[i]);
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the text of a file, of an empty one too") {
  CHECK(file_of(std::string("a\0b\xff\n", 5) + std::string(5000, 'x')).text().size() == 5005);
  CHECK(file_of("abc").text() == "abc");
  CHECK(file_of("").text().empty());
}

TEST_CASE("windows begin every stride, and the rest is in none") {
  auto const file = file_of("abcdefg");
  CHECK(all_of(file.windows(3, 3)) == Texts{"abc", "def"});
  CHECK(all_of(file.windows(3, 2)) == Texts{"abc", "cde", "efg"});
  CHECK(all_of(file.windows(2, 4)) == Texts{"ab", "ef"});
  CHECK(all_of(file.windows(7, 1)) == Texts{"abcdefg"});
  CHECK(file.windows(8, 1).size() == 0);
  CHECK(file_of("").windows(1, 1).size() == 0);
}

TEST_CASE("a window is a sequence of a language model and its targets") {
  auto loader = data_loader<"batch">(file_of("abcdefg").byte_windows<3>(2), {.batch_size = 2});
  UInt8<"batch 3"> const batch = loader.next();
  CHECK(batch(1, 0) == 'c');
  CHECK(batch(1, 2) == 'e');
  CHECK(loader.batches() == 2);
  CHECK(file_of("\xff\x80").byte_windows<2>(1)[0] == std::array<std::uint8_t, 2>{255, 128});
}

TEST_CASE("a length or a stride less than 1 is refused") {
  auto const file = file_of("abc");
  CHECK_THROWS_WITH_AS(file.windows(0, 1), "tenon::TextFile: 'length': expected at least 1, got 0",
                       ValueError);
  CHECK_THROWS_WITH_AS(file.windows(1, -2),
                       "tenon::TextFile: 'stride': expected at least 1, got -2", ValueError);
  CHECK_THROWS_AS(file.byte_windows<1>(0), ValueError);
}

TEST_CASE("lines without their ends") {
  CHECK(all_of(file_of("a\nbc\r\n\n d").lines()) == Texts{"a", "bc", "", " d"});
  CHECK(all_of(file_of("a\n").lines()) == Texts{"a"});
  CHECK(all_of(file_of("\n\r\n").lines()) == Texts{"", ""});
  CHECK(all_of(file_of("a\rb\r").lines()) == Texts{"a\rb\r"});
  CHECK(file_of("").lines().size() == 0);
}

TEST_CASE("datasets keep the file in memory") {
  std::optional<TextFile> file = file_of("first\nsecond");
  auto const lines = file->lines();
  auto const windows = subset(file->windows(2, 1), {1, 0});
  file.reset();
  CHECK(lines[1] == "second");
  CHECK(windows[0] == "ir");
}

TEST_CASE("a missing file or a folder is refused") {
  Folder const folder;
  CHECK(words_of<FileError>([&] { TextFile{folder / "x.txt"}; }) ==
        "tenon::TextFile: expected a file that can be read, got No such file or directory (x.txt)");
  std::filesystem::create_directory(folder / "x.txt");
  CHECK(words_of<FileError>([&] { TextFile{folder / "x.txt"}; }) ==
        "tenon::TextFile: expected a file, got a directory (x.txt)");
}

}  // namespace data_text_file_test
