#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// CSV files that are refused.
namespace hostile_csv {

enum class Kind { setosa, virginica };

struct Row {
  std::int32_t id = 0;
  double value = 0;
  std::string name{};
  std::optional<float> score{};
  Kind kind = Kind::setosa;
  bool flag = false;
};

inline std::string const header = "id,value,name,score,kind,flag\n";

/// `what` is between "tenon::csv::load: " and the name of the file; `line` is 0 for no line.
struct Input {
  std::string text;
  int line;
  std::string what;
};

/// A first line that does not name the columns.
inline std::vector<Input> headers() {
  std::string const none = "expected a line with the names of columns, got none";
  std::string const unknown = ": expected the name of a field, got none of that name";
  return {
      {"", 0, none},
      {"\n\n\r\n\n", 0, none},
      {"\xef\xbb\xbf", 0, none},
      {"id", 1, "'value': expected a column of that name, got none"},
      {"id,value,name,score,flag\n", 1, "'kind': expected a column of that name, got none"},
      {"id,value,name,score,kinds,flag\n", 1, "'kinds'" + unknown + "; did you mean 'kind'?"},
      {"ID,value,name,score,kind,flag\n", 1, "'ID'" + unknown + "; did you mean 'id'?"},
      {"id, value,name,score,kind,flag\n", 1, "' value'" + unknown + "; did you mean 'value'?"},
      {"id,value,name,score,kind,flag,more\n", 1, "'more'" + unknown + "; did you mean 'score'?"},
      {"id,value,name,score,kind,flag,zzzzzz\n", 1, "'zzzzzz'" + unknown},
      {"id,value,name,score,kind,flag,\n", 1,
       "expected a name for each column, got an empty field"},
      {",,,,,\n", 1, "expected a name for each column, got an empty field"},
      {"\"\"\n", 1, "expected a name for each column, got an empty field"},
      {"id,value,id,name,score,kind,flag\n", 1,
       "'id': expected one column of that name, got another"},
      {"id;value;name;score;kind;flag\n", 1, "'id;value;name;score;kind;flag'" + unknown},
      {"id\tvalue\n", 1, R"('id\x09value')" + unknown + "; did you mean 'value'?"},
      {"\n\nid,valu\n", 3, "'valu'" + unknown + "; did you mean 'value'?"},
      {"\x1b[31m,id\n", 1, R"('\x1b[31m')" + unknown},
      {"1,0.5,a,,setosa,true\n", 1, "'1'" + unknown},
      {"{\"id\": 1}\n", 1, "expected quotes around a whole field, got one within a field"},
      {std::string(100, 'x'), 1, "'" + std::string(60, 'x') + "...'" + unknown},
  };
}

/// Texts that are no CSV, whatever the fields are.
inline std::vector<Input> forms() {
  std::string const fields = "expected 6 fields as in the first line, got ";
  std::string const after =
      "expected a separator or the end of the line after a quoted field, got ";
  std::string const end = "expected a quote at the end of a quoted field, got the end of the file";
  std::string const within = "expected quotes around a whole field, got one within a field";
  std::string const alone = "expected CR LF or LF at the end of a line, got CR alone";
  std::string const utf8 = "expected text in UTF-8, got the byte ";
  return {
      {header + "1\n", 2, fields + "1"},
      {header + "1,2,a,,setosa\n", 2, fields + "5"},
      {header + "1,2,a,,setosa,true,\n", 2, fields + "more"},
      {header + "1,2,a,,setosa,true\n\n2,2\n", 4, fields + "2"},
      {header + " \n", 2, fields + "1"},
      {header + std::string(100000, ','), 2, fields + "more"},
      {header + "1,2,\"a,,setosa,true\n3\n", 2, end},
      {header + "\"", 2, end},
      {header + "1,2,\"\"\"", 2, end},
      {header + "1,2,\"a\n\n\"\n\"", 2, fields + "3"},
      {header + "1,2,\"a\"b\",,setosa,true\n", 2, after + "'b'"},
      {header + "1,2,\"a\" ,,setosa,true\n", 2, after + "' '"},
      {header + "1,2,\"a\n\"x\n", 3, after + "'x'"},
      {header + "1,2,a\"b,,setosa,true\n", 2, within},
      {header + "1,2, \"a\",,setosa,true\n", 2, within},
      {header + "1,2,a,,setosa,true\r2,2,a,,setosa,true\r", 2, alone},
      {header + "1,2,a,,setosa,true\r\r\n", 2, alone},
      {header + "1,2,\"a\"\r,,setosa,true\n", 2, alone},
      {header + "\r", 2, alone},
      {"\xff\xfei\0d\0", 1, utf8 + "255"},
      {std::string("i\0d\0", 4), 1, utf8 + "0"},
      {header + "1,2,a,,setosa,true\n2,2,\xe9,,setosa,true\n", 3, utf8 + "233"},
      {header + "1,2,\xed\xa0\x80,,setosa,true\n", 2, utf8 + "237"},
      {header + "1,2,\xc3", 2, utf8 + "195"},
      {header + "1,2,\xc0\x80,,setosa,true\n", 2, utf8 + "192"},
      {header + std::string("1,2,a\0b,,setosa,true\n", 21), 2, utf8 + "0"},
      {"\x1f\x8b\x08", 1, utf8 + "139"},
  };
}

/// A record with one field that has another value: before it, it and after it.
inline std::vector<Input> values() {
  std::string const integer = "'id': expected int32, got ";
  std::string const range = "'id': expected int32 from -2147483648 to 2147483647, got ";
  std::string const floating = "'value': expected float64, got ";
  std::string const large = "'value': expected float64, at most 1.7976931348623157e+308, got ";
  std::string const boolean = "'flag': expected bool: true, false, 1 or 0, got ";
  std::string const kind = "'kind': expected 'setosa' or 'virginica', got ";
  std::vector<Input> all;
  auto const id = [&](std::string const& text, std::string const& words) {
    all.push_back({header + text + ",2,a,,setosa,true\n", 2, words});
  };
  auto const value = [&](std::string const& text, std::string const& words) {
    all.push_back({header + "1," + text + ",a,,setosa,true\n", 2, words});
  };
  for (std::string const text :
       {"x", "1.0", "1e3", " 1", "1 ", "+1", "--1", "-", "0x10", "1_000", "١"})
    id(text, integer + "'" + text + "'");
  for (std::string const text : {"2147483648", "-2147483649", "99999999999999999999"})
    id(text, range + "'" + text + "'");
  id("", integer + "an empty field");
  id("\"\"", integer + "an empty field");
  id("\"1\n\"", integer + R"('1\x0a')");
  id(std::string(5000, '1'), range + "'" + std::string(60, '1') + "...'");
  for (std::string const text :
       {"x", "1,5", "1.5 ", "+1.5", "0x1p3", "1e", ".", "nan(1)", "NA", "1.5f", "1d3"})
    value('"' + text + '"', floating + "'" + text + "'");
  for (std::string const text : {"1e309", "-1e309", "1e999999999999"})
    value(text, large + "'" + text + "'");
  value("", floating + "an empty field");
  for (std::string const text : {"yes", "2", "tRUE", "t", "1.0", " true"})
    all.push_back({header + "1,2,a,,setosa," + text + "\n", 2, boolean + "'" + text + "'"});
  all.push_back({header + "1,2,a,x,setosa,true\n", 2, "'score': expected float32, got 'x'"});
  all.push_back({header + "1,2,a,1e39,setosa,true\n", 2,
                 "'score': expected float32, at most 3.4028235e+38, got '1e39'"});
  all.push_back({header + "1,2,a,,setosi,true\n", 2, kind + "'setosi'; did you mean 'setosa'?"});
  all.push_back({header + "1,2,a,,0,true\n", 2, kind + "'0'"});
  all.push_back({header + "1,2,a,,,true\n", 2, kind + "an empty field"});
  all.push_back({header + "1,2,\"a\r\nb\",\"\r\n\",setosa,true\r\n", 3,
                 R"('score': expected float32, got '\x0d\x0a')"});
  return all;
}

}  // namespace hostile_csv
