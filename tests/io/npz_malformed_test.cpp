// Malformed npz files: each is a clear error, and none makes a program allocate more than its
// bytes can stand for.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "folder.hpp"
#include "npz_malformed.hpp"
#include "npz_malformed_end.hpp"
#include "peak_memory.hpp"

#include <tenon/io/npz.hpp>

namespace npz_malformed_test {

using namespace tenon;
namespace npz = tenon::npz;  // not that of `internal`, which other tests use

namespace {

struct One {
  UInt8<"n"> a;
};

/// The message of loading the file, without the operation and the file name.
template <class Exception = FileError>
std::string message_of(std::filesystem::path const& path) {
  std::string words = words_of<Exception>([&] { npz::load<One>(path); });
  std::string_view const start = "tenon::npz::load: ";
  CAPTURE(words);
  REQUIRE(words.starts_with(start));
  REQUIRE(words.ends_with(" (x)"));
  return words.substr(start.size(), words.size() - start.size() - 4);
}

void check_all(auto const& files) {
  Folder const folder;
  auto const before = peak_memory();
  for (int number = 0; MalformedNpz const& file : files) {
    ++number;
    CAPTURE(number);
    write_bytes(folder / "x", npz_builder::one(file.change, file.compressed));
    CHECK(message_of(folder / "x") == file.words);
  }
  CHECK(peak_memory() - before < std::int64_t{256} << 20);
}

}  // namespace

TEST_CASE("a zip file with a malformed end throws") { check_all(npz_malformed::malformed_ends); }

TEST_CASE("a zip file whose headers are malformed, or differ, throws") {
  check_all(npz_malformed::malformed_headers);
}

TEST_CASE("a member of an npz file with malformed data throws") {
  check_all(npz_malformed::malformed_contents);
}

TEST_CASE("a file that is not npz throws") {
  Folder const folder;
  auto const of_bytes = [&](std::string_view bytes) {
    write_bytes(folder / "x", bytes);
    return message_of(folder / "x");
  };
  CHECK(of_bytes("") == "expected an npz file, got another, or a part of one");
  CHECK(of_bytes("PK") == "expected an npz file, got another, or a part of one");
  CHECK(of_bytes(std::string(100'000, 'P')) ==
        "expected an npz file, got another, or a part of one");
  CHECK(of_bytes(npz_builder::array("1")) ==
        "expected an npz file, got an npy file, which npy::load reads");
  std::filesystem::remove(folder / "x");
  CHECK(message_of(folder / "x") ==
        "expected a file that can be read, got No such file or directory");
}

TEST_CASE("every truncation of an npz file throws, and every longer one") {
  Folder const folder;
  for (bool const compressed : {false, true}) {
    npz::save(folder / "good", One{{1, 2, 3}}, {.compressed = compressed});
    std::string const bytes = read_bytes(folder / "good");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      write_bytes(folder / "x", std::string_view(bytes).substr(0, size));
      CHECK_THROWS_AS(npz::load<One>(folder / "x"), FileError);
    }
    write_bytes(folder / "x", bytes + "x");
    CHECK_THROWS_AS(npz::load<One>(folder / "x"), FileError);
  }
}

TEST_CASE("a change of any byte of an npz file gives an error or the same elements") {
  Folder const folder;
  for (bool const compressed : {false, true}) {
    npz::save(folder / "good", One{{1, 2, 3}}, {.compressed = compressed});
    std::string const bytes = read_bytes(folder / "good");
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int const change : {1, 4, 32, 128, 255}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ change);
        write_bytes(folder / "x", changed);
        auto const load = [&] {
          auto const loaded = npz::load<One>(folder / "x");
          if (loaded.a(0) != 1 || loaded.a(2) != 3) throw 0;
        };
        std::string const words = words_of<Error>(load);
        CHECK((words == "nothing" || words.starts_with("tenon::npz::load: ")));
      }
    }
  }
}

TEST_CASE("names that would be paths elsewhere are names") {
  Folder const folder;
  npz_builder::Zip zip;
  for (std::string const name : {"../up", "/root", "C:\\x", "\x1b[31m"})
    zip.members.push_back(npz_builder::member(name + ".npy", npz_builder::array("1")));
  write_bytes(folder / "x", zip.text());
  CHECK(npz::File(folder / "x").load<UInt8<"n">>("../up")(0) == '1');
  CHECK(folder.count() == 1);
  CHECK(message_of(folder / "x") == "'a': expected uint8 \"n\", got no tensor of that name");
  CHECK(words_of<FileError>([&] { npz::File(folder / "x").load<Float32<"n">>("\x1b[31m"); }) ==
        "tenon::npz::load: '\\x1b[31m': expected float32 \"n\", got uint8 \"1\" (x)");
}

TEST_CASE("what other writers add to zip files is read") {
  using npz_builder::MemberFields;
  Folder const folder;
  auto const reads = [&](auto const& change, bool compressed = false) {
    write_bytes(folder / "x", npz_builder::one(change, compressed));
    return npz::load<One>(folder / "x").a(3) == '4';
  };
  using npz_builder::Member;
  using npz_builder::Zip;
  CHECK(reads([](Zip&, Member&) {}));
  CHECK(reads([](Zip& z, Member&) { z.end.comment = "a comment"; }));
  CHECK(reads([](Zip& z, Member&) { z.before = "a gap"; }));
  CHECK(reads([](Zip&, Member& m) { m.local.extra = std::string("\x55\x54\x01\0x", 5); }));
  CHECK(reads([](Zip&, Member& m) { m.central.comment = "a comment"; }));
  CHECK(reads([](Zip& z, Member&) { z.between = npz_malformed::end64(1, 51, 167, 218); }));
  for (bool const compressed : {false, true})
    for (bool const signs : {false, true})
      for (bool const wide : {false, true})
        CHECK(reads(
            [&](Zip&, Member& m) {
              npz_builder::RecordText after;
              if (signs) after.four(0x08074b50);
              after.four(m.local.checksum);
              if (wide) after.eight(m.local.compressed).eight(m.local.bytes);
              else after.four(m.local.compressed).four(m.local.bytes);
              m.after = after.all();
              m.both([](MemberFields& s) { s.flags = 8; });
              m.local.checksum = 0, m.local.compressed = m.local.bytes = 0;
            },
            compressed));
}

TEST_CASE("an array that is not read may have any dtype") {
  Folder const folder;
  npz_builder::Zip zip;
  zip.members.push_back(npz_builder::member("a.npy", npz_builder::array("1")));
  std::string text = npz_builder::array("");
  text.replace(text.find("|u1"), 3, "|O'");
  text.replace(text.find("|O''"), 4, "|O' ");
  zip.members.push_back(npz_builder::member("words.npy", text + "pickled"));
  write_bytes(folder / "x", zip.text());
  CHECK(npz::load<One>(folder / "x", {.ignore_extra = true}).a(0) == '1');
  CHECK(message_of(folder / "x") == "'words': expected no tensor of that name, got |O \"0\"");
  CHECK(npz::File(folder / "x").contents().at("words") == "|O \"0\"");
  CHECK(words_of<FileError>([&] { npz::File(folder / "x").load<UInt8<"n">>("words"); }) ==
        "tenon::npz::load: 'words': expected an array of numbers, got an object array, which needs "
        "pickle (x)");
}

}  // namespace npz_malformed_test
