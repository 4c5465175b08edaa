#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/session.hpp>
#include <tenon/distributed/sharding/shard.hpp>
#include <tenon/tree/tree.hpp>

/// A table of the shardings of a model.
namespace tenon::internal {

/// A traversal of all tensors, learned or not; a sharded one is a leaf.
struct Laid {
  template <class T>
  static constexpr bool visits = is_shard<T> || tree::is_leaf<T>::value;
  static constexpr bool opens_frozen = true;
};

/// The rows of a table with aligned columns.
class TextTable {
 public:
  static constexpr std::size_t columns = 7;
  using Row = std::array<std::string, columns>;

  void add(Row row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::array<std::size_t, columns> widths{};
    for (auto const& row : rows_)
      for (std::size_t i = 0; i < columns; ++i) widths[i] = (std::max)(widths[i], row[i].size());
    std::string all;
    for (auto const& row : rows_) {
      for (std::size_t i = 0; i < columns; ++i) {
        std::string const space(widths[i] - row[i].size(), ' ');
        all.append(i == 0 ? "" : "  ").append(i < first_number ? row[i] + space : space + row[i]);
      }
      all.append("\n");
    }
    return all;
  }

 private:
  static constexpr std::size_t first_number = 5;  ///< From this column on cells are right-aligned.
  std::vector<Row> rows_;
};

/// Local and global bytes, or elements.
struct LaidBytes {
  std::int64_t here = 0;
  std::int64_t whole = 0;
};

/// The mesh axes, sizes, and local and global elements of a leaf.
template <ShardType X>
TextTable::Row lies(X const& x, LaidBytes& elements) {
  elements = {x.unchecked_local.size(), count(x.sizes(), X::sharding.shape.rank)};
  std::string const over(as_words(divided_over(X::sharding).view()).view());
  return {"",
          "",
          "",
          over.empty() ? "replicated" : over,
          sizes_text(x.unchecked_local.sizes(), X::local_type::rank),
          "",
          ""};
}
template <TensorType X>
TextTable::Row lies(X const& x, LaidBytes& elements) {
  elements = {x.size(), x.size()};
  return {"", "", "", "each its own", sizes_text(x.sizes(), X::rank), "", ""};
}

/// The row of a leaf; adds its bytes to `total`.
template <class X>
TextTable::Row row_of(std::string path, X const& x, LaidBytes& total) {
  using T = typename X::value_type;
  LaidBytes bytes;
  TextTable::Row row = lies(x, bytes);
  bytes = {bytes.here * std::int64_t{sizeof(T)}, bytes.whole * std::int64_t{sizeof(T)}};
  total = {total.here + bytes.here, total.whole + bytes.whole};
  row[0] = std::move(path);
  row[1] = std::string(dtype_name<T>);
  row[2] = std::string(X::spec.view());
  row[5] = std::to_string(bytes.here);
  row[6] = std::to_string(bytes.whole);
  return row;
}

/// A row for each tensor of a model: its path, dtype and spec, the mesh axes that divide it (or
/// "replicated"; plain tensors are local), the local sizes and bytes, and the global bytes; last
/// the totals. JAX: `debug.visualize_array_sharding`.
template <class Model>
std::string sharding_table(Model const& model) {
  TextTable table;
  table.add(
      {"tensor", "dtype", "spec", "divided over", "sizes here", "bytes here", "of the whole"});
  LaidBytes total;
  tree::for_each<Laid>([&](tree::Path const& path,
                           auto const& leaf) { table.add(row_of(path.text(), leaf, total)); },
                       model);
  table.add({"total", "", "", "", "", std::to_string(total.here), std::to_string(total.whole)});
  return table.text();
}

/// Rank 0 prints the table of a model.
template <class Model>
void print_shardings(Model const& model) {
  if (mpi::session().rank == 0) std::fputs(sharding_table(model).c_str(), stdout);
}

}  // namespace tenon::internal

namespace tenon {

using internal::print_shardings;
using internal::sharding_table;

}  // namespace tenon
