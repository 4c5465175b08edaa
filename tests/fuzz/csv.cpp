// Any bytes as a CSV file: rows, which are the same after they are written and read again, or a
// FileError.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/data/csv.hpp>

#include "file.hpp"

namespace {

enum class Kind { one, two };

struct Row {
  std::string name{};
  std::optional<std::string> note{};
  std::optional<double> x{};
  std::int16_t n = 0;
  Kind kind = Kind::one;
  bool flag = false;
};

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string number(double x) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), x).ptr};
}

std::string written(std::vector<Row> const& rows) {
  std::string text = "name,note,x,n,kind,flag\n";
  for (Row const& row : rows) {
    text += quoted(row.name) + ',' + (row.note ? quoted(*row.note) : "") + ',';
    text += (row.x ? number(*row.x) : "") + ',' + std::to_string(row.n) + ',';
    text += std::string(row.kind == Kind::one ? "one" : "two") + (row.flag ? ",1\n" : ",0\n");
  }
  return text;
}

std::vector<Row> read(InputInMemory& input, tenon::csv::Options const& options) {
  return tenon::csv::load<Row>(input.path(), options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  static InputInMemory input;
  input.set(data, bytes);
  std::string text;
  try {
    text = written(read(input, {.ignore_extra = bytes % 2 == 1}));
  } catch (tenon::FileError const& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
    return 0;  // the one error that a file may cause
  }
  input.set(text.data(), text.size());
  if (written(read(input, {})) != text) std::abort();
  return 0;
}
