#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

/// Tables of text, and numbers in them.
namespace tenon::internal::training {

/// A whole number with thousands separated: 1,234,567.
inline std::string with_commas(std::int64_t number) {
  std::string text = std::to_string(number);
  std::size_t const first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

/// A number of bytes in binary units: 1.50 MiB.
inline std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<char const*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (unit + 1 < units.size() && (value >= 1024 || value <= -1024)) value /= 1024, ++unit;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text.data();
}

/// A number with this number of significant digits.
inline std::string digits_text(double value, int digits = 4) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

/// The number of characters of a UTF-8 text.
inline std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Rows of texts in aligned columns, two spaces apart. The first row contains the headings; the
/// first `left` columns are aligned to the left, the others to the right.
class TextTable {
 public:
  using TextRow = std::vector<std::string>;

  explicit TextTable(TextRow headings, std::size_t left) : left_(left) { add(std::move(headings)); }

  void add(TextRow row) {
    widths_.resize((std::max)(widths_.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths_[i] = (std::max)(widths_[i], text_width(row[i]));
    rows_.push_back(std::move(row));
  }

  /// The width of a line.
  std::size_t width() const {
    std::size_t sum = 0;
    for (std::size_t const width : widths_) sum += width + 2;
    return sum < 2 ? 0 : sum - 2;
  }

  std::string rule(char c) const { return std::string(width(), c) + "\n"; }

  /// The headings between rules, then the rows.
  std::string text() const {
    std::string text = rule('=') + line(rows_.front()) + rule('=');
    for (std::size_t i = 1; i < rows_.size(); ++i) text += line(rows_[i]);
    return text;
  }

 private:
  std::string line(TextRow const& row) const {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string const gap(widths_[i] - text_width(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (i < left_ ? row[i] + gap : gap + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  }

  std::size_t left_;
  std::vector<TextRow> rows_;
  std::vector<std::size_t> widths_;
};

}  // namespace tenon::internal::training
