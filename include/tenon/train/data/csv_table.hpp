#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/data/csv_value.hpp>

namespace tenon::csv {

/// How a CSV file is read.
struct Options {
  char separator = ',';       ///< Between the fields of a line.
  bool ignore_extra = false;  ///< Columns of the file that are no fields.
};

}  // namespace tenon::csv

namespace tenon::internal::csv {

using tenon::csv::Options;

/// A field of a struct: its name, and what sets it.
struct Column {
  std::string_view name;
  void (*read)(void* row, Reading const& reading);
};

/// Reads the records of a file, one after another; `add` appends a row and returns its address.
void read_records(std::filesystem::path const& path, Options const& options,
                  std::vector<Column> columns, void* (*add)(void* rows), void* rows);

}  // namespace tenon::internal::csv

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/utf8.hpp>
#include <tenon/train/config/words.hpp>
#include <tenon/train/data/csv_scanner.hpp>

namespace tenon::internal::csv {

/// The most columns of a file.
inline constexpr std::size_t most_columns = 1 << 20;

/// Refuses what is not UTF-8, and the byte 0, which texts do not have.
inline void check_text(std::string_view text, Place const& place) {
  std::size_t const end = (std::min)(utf8_end(text), text.find('\0'));
  if (end >= text.size()) return;
  std::string_view const before = text.substr(0, end);
  std::int64_t const line = 1 + std::count(before.begin(), before.end(), '\n');
  auto const byte = static_cast<unsigned char>(text[end]);
  place.refuse(line, {}, "text in UTF-8", "the byte " + std::to_string(byte));
}

inline char checked_separator(char separator) {
  std::string_view const others("\"\r\n\0", 4);
  if (others.find(separator) == others.npos) return separator;
  fail<ValueError>({"csv::load",
                    "separator",
                    "a character other than a quote and a line end",
                    character_text(separator),
                    {}});
}

/// A file whose records are read one after another, without the type of a row.
class Table {
 public:
  Table(std::filesystem::path const& path, Options const& options, std::vector<Column> columns)
      : columns_(std::move(columns)),
        name_(path.string()),
        text_(InputFile(path, "csv::load").text()),
        scanner_(without_mark(text_), checked_separator(options.separator), Place{name_}) {
    check_text(text_, place());
    if (!scanner_.next(cells_, most_columns)) refuse("a line with the names of columns", "none");
    if (cells_.size() > most_columns) refuse("at most 2^20 columns", "more");
    match(options.ignore_extra);
  }
  Table(Table const&) = delete;
  Table& operator=(Table const&) = delete;

  /// Reads the next record; false at the end.
  bool next() {
    if (!scanner_.next(cells_, count_)) return false;
    if (cells_.size() == count_) return true;
    std::string const got = cells_.size() > count_ ? "more" : std::to_string(cells_.size());
    place().refuse(cells_[0].line, {}, std::to_string(count_) + " fields as in the first line",
                   got);
  }

  /// Sets the fields of a struct from the record.
  void read(void* row) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      columns_[i].read(row, {cells_[cell_of_[i]], columns_[i].name, place()});
  }

 private:
  Place const& place() const { return scanner_.place(); }

  static std::string_view without_mark(std::string_view text) {
    return text.substr(text.starts_with("\xef\xbb\xbf") ? 3 : 0);
  }

  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const {
    place().refuse(cells_.empty() ? 0 : cells_[0].line, {}, expected, got);
  }

  /// Finds the cell of each field.
  void match(bool ignores_extra) {
    count_ = cells_.size();
    check_names(ignores_extra);
    cell_of_.reserve(columns_.size());
    for (Column const& column : columns_) {
      auto const found = std::ranges::find(cells_, column.name, &Cell::text);
      if (found == cells_.end()) refuse_missing(column);
      cell_of_.push_back(static_cast<std::size_t>(found - cells_.begin()));
    }
  }

  /// Refuses a name that no field has, and a second column of a field.
  void check_names(bool ignores_extra) const {
    std::vector<bool> found(columns_.size());
    for (Cell const& cell : cells_) {
      auto const column = std::ranges::find(columns_, cell.text, &Column::name);
      if (column == columns_.end() && ignores_extra) continue;
      if (column == columns_.end()) refuse_unknown(cell);
      auto const i = static_cast<std::size_t>(column - columns_.begin());
      if (found[i]) refuse_name(cell, "one column of that name", "another");
      found[i] = true;
    }
  }

  [[noreturn]] void refuse_name(Cell const& cell, std::string const& expected,
                                std::string const& got) const {
    place().refuse(cell.line, training::excerpt(cell.text), expected, got);
  }

  [[noreturn]] void refuse_unknown(Cell const& cell) const {
    if (cell.text.empty()) refuse("a name for each column", "an empty field");
    std::vector<std::string> names;
    names.reserve(columns_.size());
    for (Column const& column : columns_) names.emplace_back(column.name);
    refuse_name(cell, "the name of a field",
                "none of that name" + training::suggestion(cell.text, names));
  }

  /// Suggests one of the columns that are no fields.
  [[noreturn]] void refuse_missing(Column const& column) const {
    std::vector<std::string> names;
    names.reserve(cells_.size());
    for (Cell const& cell : cells_) {
      if (std::ranges::find(columns_, cell.text, &Column::name) == columns_.end())
        names.push_back(training::excerpt(cell.text));
    }
    place().refuse(cells_[0].line, column.name, "a column of that name",
                   "none" + training::suggestion(column.name, names));
  }

  std::vector<Column> columns_;
  std::string name_;
  std::string text_;
  Scanner scanner_;  // of the text
  std::vector<Cell> cells_{};
  std::size_t count_ = 0;
  std::vector<std::size_t> cell_of_{};
};

TENON_RUNTIME void read_records(std::filesystem::path const& path, Options const& options,
                                std::vector<Column> columns, void* (*add)(void* rows), void* rows) {
  Table table(path, options, std::move(columns));
  while (table.next()) table.read(add(rows));
}

}  // namespace tenon::internal::csv

#endif
