#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "folder.hpp"
#include "peak_memory.hpp"

#include <tenon/io/json/value.hpp>

namespace json_value_test {

using namespace tenon;

tenon::json::Value value_of(std::string_view text) {
  Folder const folder;
  write_bytes(folder / "x.json", text);
  return load_json(folder / "x.json");
}

std::string message_of(auto&& call) { return words_of<FileError>(call); }

TEST_CASE("values of a JSON document") {
  auto const value = value_of(
      R"( {"a": [1, -2.5e-1, true, null, "t\u00e9\n"], "b": {"c": {}}, "d": null, "e": 0} )");
  auto const& a = value.at("a").elements();
  CHECK((a.size() == 5 && a[0].integer() == 1 && a[1].number() == -0.25 && a[2].boolean()));
  CHECK((a[3].is_null() && a[4].is_string() && a[4].string() == "té\n"));
  CHECK(value.at("b").at("c").members().empty());
  CHECK(value.find("d") == nullptr);
  CHECK(value.find("f") == nullptr);
  CHECK(value.members().back().key() == "e");
  CHECK(value.at("a").is_array());
  CHECK(value_of("-0").number() == 0);
  CHECK(value_of("9223372036854775807").integer() == std::numeric_limits<std::int64_t>::max());
  CHECK(value_of("1.7976931348623157e308").number() == std::numeric_limits<double>::max());
}

TEST_CASE("a value that is not as asked for throws with its path") {
  auto const value = value_of(R"({"a": [1, {"b": "x"}], "n": 1.5, "big": 9223372036854775808})");
  CHECK(message_of([&] { value.at("a").elements()[1].at("b").number(); }) ==
        "tenon::load: 'a.1.b': expected a number, got \"x\" (x.json)");
  CHECK(message_of([&] { value.at("a").elements()[1].at("c"); }) ==
        "tenon::load: 'a.1.c': expected a value, got none (x.json)");
  CHECK(message_of([&] { value.at("a").find("c"); }) ==
        "tenon::load: 'a': expected an object, got an array (x.json)");
  CHECK(message_of([&] { static_cast<void>(value.elements()); }) ==
        "tenon::load: expected an array, got an object (x.json)");
  CHECK(message_of([&] { value.at("n").integer(); }) ==
        "tenon::load: 'n': expected a whole number of 64 bits, got 1.5 (x.json)");
  CHECK(message_of([&] { value.at("big").integer(); }) ==
        "tenon::load: 'big': expected a whole number of 64 bits, got 9223372036854775808 (x.json)");
  CHECK(message_of([&] { value.at("a").elements()[0].integer(2, 4); }) ==
        "tenon::load: 'a.0': expected a whole number from 2 to 4, got 1 (x.json)");
  CHECK(message_of([&] { value.at("n").string(); }) ==
        "tenon::load: 'n': expected a string, got 1.5 (x.json)");
  CHECK(message_of([&] { value.at("n").boolean(); }) ==
        "tenon::load: 'n': expected true or false, got 1.5 (x.json)");
}

TEST_CASE("a document takes memory in proportion to its length, also below a long name") {
  std::string const name(70'000, 'k');
  std::string numbers = "0";
  for (int i = 1; i < 35'000; ++i) numbers += ",1";
  std::string nested = "1";
  for (int i = 0; i < 60; ++i) nested = "[" + nested + "]";
  auto const before = peak_memory();
  auto const wide = value_of("{\"" + name + "\": [" + numbers + "]}");
  auto const deep = value_of("{\"" + name + "\": " + nested + "}");
  CHECK(peak_memory() - before < std::int64_t{100} << 20);
  CHECK(message_of([&] { wide.at(name).elements()[34'999].boolean(); }) ==
        "tenon::load: '" + name + ".34999': expected true or false, got 1 (x.json)");
  CHECK(deep.members()[0].key() == name);
}

TEST_CASE("a long or hostile text is shortened and escaped in messages") {
  std::string const words =
      message_of([&] { value_of("[\"" + std::string(1000, 'x') + "\"]").elements()[0].number(); });
  CHECK(words.size() < 300);
  CHECK(message_of([&] { value_of(R"(["\u001b[31m"])").elements()[0].number(); }) ==
        "tenon::load: '0': expected a number, got \"\\x1b[31m\" (x.json)");
}

}  // namespace json_value_test
