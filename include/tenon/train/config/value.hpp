#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tenon::internal::training {

struct Entry;

/// No value: `null` in YAML.
struct Null {};

/// A text whose type its field decides: a plain scalar in YAML, an option of the command line.
struct Plain {
  std::string text;
};

/// `is_single`: of a field of type float, whose shortest text is shorter.
struct Floating {
  double value = 0;
  bool is_single = false;
};

/// A value of a configuration file of any format, with the line on which it begins; 0 if unknown.
/// (Copies of arrays and tables are deep: all are of bounded depth.)
struct Value {
  using List = std::vector<Value>;
  using Table = std::vector<Entry>;

  std::variant<Null, bool, std::int64_t, std::uint64_t, Floating, std::string, Plain, List, Table>
      data;
  int line = 0;
};

/// An entry of a table, in the order of the file. The comment is for writing.
struct Entry {
  std::string key;
  Value value;
  std::string comment{};
};

/// The greatest depth of arrays and tables in a file, so that recursion is bounded.
inline constexpr std::size_t deepest_value = 64;

/// Where a value stands: the operation that reads it, and the name of the file. A line of 0 is not
/// part of the text.
struct Source {
  std::string who;
  std::string name;

  std::string at(int line) const { return line > 0 ? name + ":" + std::to_string(line) : name; }
};

}  // namespace tenon::internal::training
