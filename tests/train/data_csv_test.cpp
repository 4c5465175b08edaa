// CSV files as rows of structs: quotes, columns, values, and files that are refused.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>

#include "../io/folder.hpp"
#include "hostile_csv.hpp"

namespace data_csv_test {

using namespace tenon;
using hostile_csv::Kind;
using hostile_csv::Row;

namespace {

struct Text {
  std::string a{}, b{};

  friend bool operator==(Text const&, Text const&) = default;
};
using Texts = std::vector<Text>;

template <class T>
struct Value {
  T x{};
};

template <class X>
std::vector<X> load(std::string const& text, csv::Options const& options = {}) {
  Folder const folder;
  write_bytes(folder / "x.csv", text);
  return csv::load<X>(folder / "x.csv", options);
}

template <class X>
std::string words(std::string const& text, csv::Options const& options = {}) {
  return words_of<Error>([&] { (void)load<X>(text, options); });
}

/// The values of a column `x`.
template <class T>
std::vector<T> column(std::string const& lines) {
  auto const rows = load<Value<T>>("x\n" + lines);
  std::vector<T> values;
  values.reserve(rows.size());
  for (Value<T> const& row : rows) values.push_back(row.x);
  return values;
}

}  // namespace

TEST_CASE("rows have the values of the file, in columns of any order") {
  auto const rows = load<Row>(
      "name,flag,kind,id,score,value\nIris,true,virginica,-7,0.25,1e-3\n,0,setosa,8,,-2.5\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].id == -7);
  CHECK(rows[0].value == 1e-3);
  CHECK(rows[0].name == "Iris");
  CHECK(rows[0].score == 0.25f);
  CHECK(rows[0].kind == Kind::virginica);
  CHECK(rows[0].flag);
  CHECK(rows[1].id == 8);
  CHECK(rows[1].name.empty());
  CHECK_FALSE(rows[1].score.has_value());
  CHECK_FALSE(rows[1].flag);
}

TEST_CASE("quoted fields have separators, line ends and quotes") {
  CHECK(load<Text>("a,b\n\"x,y\",\"he said \"\"no\"\"\"\n") == Texts{{"x,y", "he said \"no\""}});
  CHECK(load<Text>("a,b\n\"line 1\r\nline 2\n\",\"\"\"\"\n") ==
        Texts{{"line 1\r\nline 2\n", "\""}});
  CHECK(load<Text>("\"a\",\"b\"\n\"\",\"\"\n") == Texts{{"", ""}});
  CHECK(load<Value<std::int32_t>>("x\n\"5\"\n")[0].x == 5);
}

TEST_CASE("lines end with LF, CR LF or the end of the file; a byte order mark is skipped") {
  Texts const expected{{"1", "2"}, {"3", "4"}};
  CHECK(load<Text>("a,b\n1,2\n3,4\n") == expected);
  CHECK(load<Text>("a,b\r\n1,2\r\n3,4") == expected);
  CHECK(load<Text>("\xef\xbb\xbf"
                   "a,b\n1,2\r\n\r\n\n3,4\n\n") == expected);
  CHECK(load<Text>("a,b\n1,\n") == Texts{{"1", ""}});
  CHECK(load<Text>("a,b\n,") == Texts{{"", ""}});
}

TEST_CASE("a file of the first line alone has no rows") {
  CHECK(load<Text>("a,b").empty());
  CHECK(load<Text>("a,b\r\n\r\n").empty());
}

TEST_CASE("texts are as in the file: spaces, and characters of UTF-8") {
  CHECK(load<Text>("a,b\n x , \xc3\xa9\xf0\x9f\x8c\xb1\n") ==
        Texts{{" x ", " \xc3\xa9\xf0\x9f\x8c\xb1"}});
}

TEST_CASE("another separator") {
  CHECK(load<Text>("a;b\n1,5;\";\"\n", {.separator = ';'}) == Texts{{"1,5", ";"}});
  CHECK(load<Text>("a\tb\n1\t2\n", {.separator = '\t'}) == Texts{{"1", "2"}});
  for (char const separator : {'"', '\n', '\r', '\0'})
    CHECK(words<Text>("a,b\n", {.separator = separator})
              .starts_with("tenon::csv::load: 'separator': expected a character other than a quote "
                           "and a line end, got '"));
}

TEST_CASE("columns that are no fields are ignored on request") {
  CHECK(load<Text>("z,b,,a,z\n0,1,2,3,4\n", {.ignore_extra = true}) == Texts{{"3", "1"}});
  CHECK(words<Text>("z,a\n", {.ignore_extra = true}) ==
        "tenon::csv::load: 'b': expected a column of that name, got none; did you mean 'z'? "
        "(x.csv:1)");
  CHECK(words<Text>("a,b,a\n", {.ignore_extra = true}) ==
        "tenon::csv::load: 'a': expected one column of that name, got another (x.csv:1)");
}

TEST_CASE("integers of all sizes, to their limits") {
  CHECK(column<std::int8_t>("-128\n127\n") == std::vector<std::int8_t>{-128, 127});
  CHECK(column<std::uint8_t>("0\n255\n007\n") == std::vector<std::uint8_t>{0, 255, 7});
  CHECK(column<std::int64_t>("-9223372036854775808\n")[0] ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(column<std::uint64_t>("18446744073709551615\n")[0] == ~std::uint64_t{0});
  CHECK(words<Value<std::uint8_t>>("x\n256\n") ==
        "tenon::csv::load: 'x': expected uint8 from 0 to 255, got '256' (x.csv:2)");
  CHECK(words<Value<std::uint8_t>>("x\n-1\n") ==
        "tenon::csv::load: 'x': expected uint8, got '-1' (x.csv:2)");
}

TEST_CASE("floating numbers are rounded once, the smallest to zero") {
  auto const values = column<double>("0.1\n-0\n1e3\n.5\n5.\n1E-3\n4.9e-324\n1e-400\n-1e-400\n");
  CHECK(values == std::vector<double>{0.1, 0, 1000, 0.5, 5, 0.001, 4.9e-324, 0, 0});
  CHECK(std::signbit(values[1]));
  CHECK(std::signbit(values[8]));
  CHECK(column<float>("1.00000005960464477540\n")[0] == 1.00000011920928955f);  // not by a double
  CHECK(column<float>("1e-46\n")[0] == 0);
}

TEST_CASE("NaN and infinities as NumPy writes them") {
  auto const values = column<double>("nan\nNaN\ninf\n-inf\nInfinity\n-nan\n-INF\n");
  CHECK(std::isnan(values[0]));
  CHECK(std::isnan(values[1]));
  CHECK(values[2] == INFINITY);
  CHECK(values[3] == -INFINITY);
  CHECK(values[4] == INFINITY);
  CHECK(std::isnan(values[5]));
  CHECK(values[6] == -INFINITY);
}

TEST_CASE("bools as Python and spreadsheets write them") {
  CHECK(column<bool>("True\nFALSE\n1\n0\n") == std::vector<bool>{true, false, true, false});
}

TEST_CASE("an optional is empty for an empty field; a quoted one is an empty text") {
  struct Optional {
    std::optional<std::string> text{};
    std::optional<int> number{};
  };
  auto const rows = load<Optional>("text,number\n,\n\"\",\"\"\nx,1\n");
  CHECK_FALSE(rows[0].text.has_value());
  CHECK(rows[1].text == "");
  CHECK_FALSE(rows[1].number.has_value());
  CHECK(rows[2].text == "x");
  CHECK(rows[2].number == 1);
}

TEST_CASE("a file that is not as it should be is refused in one line with its place") {
  std::vector<hostile_csv::Input> inputs = hostile_csv::headers();
  for (auto const& more : {hostile_csv::forms(), hostile_csv::values()})
    inputs.insert(inputs.end(), more.begin(), more.end());
  CHECK(inputs.size() >= 80);
  for (auto const& input : inputs) {
    std::string const message = words<Row>(input.text);
    std::string const line = input.line > 0 ? ":" + std::to_string(input.line) : "";
    CHECK(message == "tenon::csv::load: " + input.what + " (x.csv" + line + ")");
    CHECK(message.find('\n') == message.npos);
  }
}

TEST_CASE("rows are the elements of a loader") {
  struct Point {
    float x = 0;
    std::int32_t label = 0;
  };
  struct Batch {
    Float32<"batch"> x;
    Int32<"batch"> label;
  };
  auto loader = training::data_loader<"batch", Batch>(load<Point>("label,x\n1,0.5\n2,1.5\n"),
                                                      {.batch_size = 2});
  Batch const batch = loader.next();
  CHECK(batch.x(1) == 1.5f);
  CHECK(batch.label(0) == 1);
}

}  // namespace data_csv_test
