#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/train/data/csv_table.hpp>
#include <tenon/train/data/csv_value.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::compile_error {

/// The name of a field of a row, its type, and the reason why no column sets it.
template <Spec Name, class Type, Spec Reason>
struct field_is_no_column;

}  // namespace tenon::compile_error

namespace tenon::internal::csv {

/// The reason why a cell has no value of a type; empty where it has.
template <class T>
consteval std::string_view fault_of_column() {
  if constexpr (training::is_std_optional<T>) {
    if constexpr (training::is_std_optional<typename T::value_type>) return "is optional twice";
    else return fault_of_column<typename T::value_type>();
  } else if constexpr (training::IntegralType<T> ||
                       training::AnyOf<T, bool, float, double, std::string>)
    return {};
  else if constexpr (std::is_enum_v<T> || std::is_const_v<T> || training::CharacterType<T> ||
                     training::AnyOf<T, std::string_view, long double> || std::is_pointer_v<T>)
    return training::fault_of_type<T>();
  else return "is no number, text, bool or enum";
}

template <class Row, std::size_t i>
consteval auto find_row_fault() {
  using Parts = decltype(tree::fields(std::declval<Row&>()));
  if constexpr (i == tree::part_count<Parts>) {
    return std::type_identity<void>();
  } else {
    using Part = tree::PartAt<i, Parts>;
    constexpr std::string_view reason = fault_of_column<Part>();
    if constexpr (reason.empty()) return find_row_fault<Row, i + 1>();
    else
      return std::type_identity<error::field_is_no_column<tree::field_name<Row, i>, Part,
                                                          Spec<reason.size() + 1>(reason)>>();
  }
}

/// An error type, or `void` for a plain struct whose fields are values of cells.
template <class Row>
consteval auto row_fault() {
  constexpr std::string_view reason = training::fault_of_struct<Row>();
  if constexpr (!reason.empty())
    return std::type_identity<
        error::field_is_no_column<"", Row, Spec<reason.size() + 1>(reason)>>();
  else return find_row_fault<Row, 0>();
}
template <class Row>
using RowFault = typename decltype(row_fault<Row>())::type;

template <class Row, std::size_t i>
void read_field(void* row, Reading const& reading) {
  auto const parts = tree::fields(*static_cast<Row*>(row));
  read_value(tree::part_at<i>(parts), reading);
}

template <class Row, std::size_t... i>
std::vector<Column> columns_of(std::index_sequence<i...>) {
  return {Column{tree::field_name<Row, i>.view(), &read_field<Row, i>}...};
}

/// Loads a CSV file (RFC 4180, UTF-8) as structs: its first line names the columns, in any order,
/// after the fields, which are numbers, bools, strings, enumerations, or std::optional of those,
/// without a value for an empty cell. Empty lines are skipped. Throws `FileError` with the line and
/// the column, also for a missing or unknown column, and `ValueError` for a separator that is a
/// quote or a line end. pandas: `read_csv`.
template <class Row>
  requires std::is_void_v<RowFault<Row>>
std::vector<Row> load(std::filesystem::path const& path, Options const& options = {}) {
  constexpr std::size_t count = tree::field_count<Row>;
  std::vector<Row> rows;
  auto const add = [](void* all) -> void* {
    return &static_cast<std::vector<Row>*>(all)->emplace_back();
  };
  read_records(path, options, columns_of<Row>(std::make_index_sequence<count>()), add, &rows);
  return rows;
}
template <class Row, class M = RowFault<Row>>
  requires(!std::is_void_v<M>)
auto load(std::filesystem::path const&, Options const& = {}) -> M;

}  // namespace tenon::internal::csv

namespace tenon::csv {

using internal::csv::load;

}  // namespace tenon::csv
