// Texts that are no JSON (RFC 8259): each ends in one line.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "folder.hpp"

#include <tenon/io/json/value.hpp>

namespace json_hostile_test {

using namespace tenon;
using namespace std::string_view_literals;

namespace {

std::vector<std::string_view> const texts{
    // Documents
    ""sv, " "sv, "\xEF\xBB\xBF{}"sv, "{} {}"sv, "[1] 2"sv, "1,"sv, "{}\0"sv, "nul"sv, "nulll"sv,
    "True"sv, "NaN"sv, "Infinity"sv, "-Infinity"sv, "undefined"sv, "'a'"sv, "// c\n1"sv,
    "/* */ 1"sv,
    "\x0B"
    "1"sv,
    "\xA0"
    "1"sv,
    // Arrays
    "["sv, "[1"sv, "[1,"sv, "[1,]"sv, "[,1]"sv, "[1,,2]"sv, "[1 2]"sv, "[1;2]"sv, "]"sv, "[1}"sv,
    "[[1]"sv, "[1]]"sv,
    // Objects
    "{"sv, "{\"a\""sv, "{\"a\":"sv, "{\"a\":1"sv, "{\"a\":1,"sv, "{\"a\":1,}"sv, "{,}"sv,
    "{\"a\" 1}"sv, "{\"a\"=1}"sv, "{a:1}"sv, "{1:1}"sv, "{'a':1}"sv, "{null:1}"sv,
    "{\"a\":1 \"b\":2}"sv, "{\"a\":1]"sv, "{\"a\":}"sv, "}"sv, "{\"a\":1}}"sv,
    // Numbers
    "+1"sv, "01"sv, "-01"sv, "1."sv, ".5"sv, "-"sv, "-.5"sv, "1e"sv, "1e+"sv, "1.e5"sv, "0x10"sv,
    "1_000"sv, "1,000"sv, "--1"sv, "1e1.5"sv, "\xEF\xBC\x91"sv,
    // Strings
    "\""sv, "\"a"sv, "\"a\\"sv, "\"\\x41\""sv, "\"\\u12\""sv, "\"\\u12G4\""sv, "\"\\'\""sv,
    "\"a\nb\""sv, "\"a\tb\""sv, "\"\0\""sv, "\"\\ud800\""sv, "\"\\udc00\""sv,
    "\"\\ud800\\u0041\""sv, "\"\xFF\""sv, "\"\xC0\xAF\""sv, "\"\xED\xA0\x80\""sv,
    "\"\xF4\x90\x80\x80\""sv, "\"\xE2\x82\""sv, "\"a\" \"b\""sv};

/// The message of a text that is refused; empty for one that is read.
std::string message_of(std::string_view text) {
  Folder const folder;
  write_bytes(folder / "x.json", text);
  try {
    load_json(folder / "x.json");
  } catch (FileError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a text that is no JSON is refused in one line, which names the file") {
  for (std::string_view const text : texts) {
    CAPTURE(text);
    std::string const message = message_of(text);
    CHECK(message.starts_with("tenon::load: "));
    CHECK(message.find("x.json") != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 300);
  }
}

TEST_CASE("nesting is limited, and a long text is refused without a long message") {
  std::string const deep(1'000'000, '[');
  CHECK(message_of(deep).size() < 300);
  CHECK_FALSE(message_of(deep).empty());
  std::string const objects = [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
    return text;
  }();
  CHECK_FALSE(message_of(objects).empty());
  std::string const long_word(10'000'000, 'x');
  CHECK_FALSE(message_of(long_word).empty());
  CHECK(message_of(long_word).size() < 300);
}

}  // namespace json_hostile_test
