// Malformed npy files, and files that do not fit the type: each is a clear error, and none makes a
// program allocate more than the file has bytes.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "folder.hpp"
#include "npy_malformed.hpp"
#include "peak_memory.hpp"

#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>

namespace npy_malformed_test {

using namespace tenon;
namespace npy = tenon::npy;  // not that of `internal`, which other tests use

namespace {

/// The message of a call, without the operation, the file name and the position.
template <class F>
std::string message_of(std::string_view who, F const& call) {
  std::string words = words_of<FileError>(call);
  std::string const start = std::string("tenon::").append(who).append(": ");
  REQUIRE(words.starts_with(start));
  REQUIRE(words.find(" (x") != words.npos);
  words.erase(0, start.size());
  return words.substr(0, words.rfind(" (x"));
}

void check_all(auto const& files) {
  Folder const folder;
  auto const before = peak_memory();
  for (MalformedNpy const& file : files) {
    std::string const shown = internal::escaped(file.bytes.substr(0, 200));
    CAPTURE(shown);
    write_bytes(folder / "x", file.bytes);
    CHECK(message_of("npy::load", [&] { npy::load<UInt8<"n">>(folder / "x"); }) == file.words);
    CHECK(message_of("npy::Mapped", [&] { npy::Mapped<UInt8<"n">>(folder / "x"); }) == file.words);
  }
  CHECK(peak_memory() - before < std::int64_t{256} << 20);
}

}  // namespace

TEST_CASE("a file that is not npy throws") { check_all(no_npy_files); }

TEST_CASE("an npy header that does not describe an array throws") {
  check_all(no_npy_headers);
  Folder const folder;
  write_bytes(folder / "x", npy_of("(3)", "123"));
  CHECK(words_of<FileError>([&] { npy::load<UInt8<"n">>(folder / "x"); }) ==
        "tenon::npy::load: expected ',', got ')' (x, byte 52 of the header)");
}

TEST_CASE("an npy file with other bytes than its shape needs throws before an allocation") {
  check_all(no_npy_elements);
}

TEST_CASE("an npy file of a dtype that Tenon does not have throws with its name") {
  check_all(no_npy_dtypes);
}

TEST_CASE("every truncation of an npy file throws") {
  Folder const folder;
  npy::save(folder / "good", UInt8<"n">{1, 2, 3});
  std::string const bytes = read_bytes(folder / "good");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_bytes(folder / "x", std::string_view(bytes).substr(0, size));
    CHECK_THROWS_AS(npy::load<UInt8<"n">>(folder / "x"), FileError);
  }
}

TEST_CASE("a change of any byte of an npy header gives an error or a tensor, never a crash") {
  Folder const folder;
  npy::save(folder / "good", UInt8<"n">{1, 2, 3});
  std::string const bytes = read_bytes(folder / "good");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (char const byte : {'\0', '\'', '9', '{', ')', ',', '\\', '\x80', '\xff'}) {
      std::string changed = bytes;
      changed[at] = byte;
      write_bytes(folder / "x", changed);
      std::string const words = words_of<Error>([&] { npy::load<UInt8<"n">>(folder / "x"); });
      CHECK((words == "nothing" || words.starts_with("tenon::npy::load: ")));
    }
  }
}

TEST_CASE("a path that is not a file cannot be loaded as npy") {
  Folder const folder;
  auto const load = [&] { npy::load<UInt8<"n">>(folder / "x"); };
  CHECK(message_of("npy::load", load) ==
        "expected a file that can be read, got No such file or directory");
  std::filesystem::create_directory(folder / "x");
  CHECK(message_of("npy::load", load) == "expected a file, got a directory");
  CHECK(message_of("npy::save", [&] { npy::save(folder / "x", 1.0f); }) ==
        "expected a file that can be written, got Is a directory");
}

TEST_CASE("a bool byte other than 0 and 1 throws in an npy file") {
  Folder const folder;
  write_bytes(folder / "x", npy_file(dictionary("'|b1'", "(3,)"), "\1\1\2"));
  auto const words = "expected 0 or 1 for a bool, got the byte 2";
  CHECK(message_of("npy::load", [&] { npy::load<Mask<"n">>(folder / "x"); }) == words);
  CHECK(message_of("npy::Mapped", [&] { npy::Mapped<Mask<"n">>(folder / "x"); }) == words);
  write_bytes(folder / "x", npy_file(dictionary("'|b1'", "(1, 3)", "True"), "\1\1\2"));
  CHECK(message_of("npy::load", [&] { npy::load<Mask<"m n">>(folder / "x"); }) == words);
}

TEST_CASE("elements that are not aligned are loaded, not mapped") {
  Folder const folder;
  for (std::string space : {"", " ", "  ", "   "}) {
    auto const header = dictionary("'<f4'", "(1,)") + space;
    write_bytes(folder / "x", npy_file(header, std::string("\0\0\x80\x3f", 4)));
    CHECK(npy::load<Float32<"n">>(folder / "x")(0) == 1);
    auto const map = [&] { npy::Mapped<Float32<"n">>(folder / "x"); };
    if ((10 + header.size()) % 4 == 0) map();
    else
      CHECK(message_of("npy::Mapped", map) ==
            "expected elements aligned to 4 bytes, got elements from "
            "byte " +
                std::to_string(10 + header.size()) + ", which npy::load reads");
  }
}

TEST_CASE("axes of an npy file that do not fit throw with both specs") {
  Folder const folder;
  npy::save(folder / "x", zeros<UInt8<"2 3">>());
  auto const words = [&]<class X>(std::type_identity<X>) {
    return words_of<ShapeError>([&] { npy::load<X>(folder / "x"); });
  };
  auto const expected = [](std::string const& spec) {
    return "tenon::npy::load: expected uint8 \"" + spec + "\", got uint8 \"2 3\" (x)";
  };
  CHECK(words(std::type_identity<UInt8<"n">>()) == expected("n"));
  CHECK(words(std::type_identity<UInt8<"a b c">>()) == expected("a b c"));
  CHECK(words(std::type_identity<UInt8<"a=1 b">>()) == expected("a=1 b"));
  CHECK(words(std::type_identity<UInt8<"a b=..2">>()) == expected("a b=..2"));
  CHECK(words(std::type_identity<UInt8<"n n">>()) == expected("n n"));
  CHECK(words(std::type_identity<UInt8<"n n+2">>()) == expected("n n+2"));
  CHECK(words(std::type_identity<UInt8<"n n+1">>()) == "nothing");
  CHECK(words_of<ShapeError>([&] { npy::load<std::uint8_t>(folder / "x"); }) == expected(""));
  std::string const nine = npy_of("(1, 1, 1, 1, 1, 1, 1, 1, 1)", "1");
  write_bytes(folder / "x", nine);
  CHECK(words(std::type_identity<UInt8<"n">>()) ==
        "tenon::npy::load: expected uint8 \"n\", got uint8 \"1 1 1 1 1 1 1 1 1\" (x)");
  CHECK(npy::load_contents(folder / "x") == "uint8 \"1 1 1 1 1 1 1 1 1\"");
}

TEST_CASE("the contents of an npy file are told for any dtype") {
  Folder const folder;
  write_bytes(folder / "x", npy_file(dictionary("'<U3'", "(2, 0)")));
  CHECK(npy::load_contents(folder / "x") == "<U3 \"2 0\"");
}

TEST_CASE("headers of other writers are read") {
  Folder const folder;
  for (std::string const& file :
       {npy_file(R"({"shape":(2L,),"fortran_order":True,"descr":"<u1"})", "\1\2", 2),
        npy_file("  {'shape':(2,),'descr':'=u1','fortran_order':False}\n \n", "\1\2", 3),
        npy_file("{'descr': 'u1', 'fortran_order': False, 'shape': (2, ), }", "\1\2")}) {
    write_bytes(folder / "x", file);
    CHECK(npy::load<UInt8<"n">>(folder / "x")(1) == 2);
  }
}

}  // namespace npy_malformed_test
