#pragma once

#include <tenon/backend/codegen/text/listing.hpp>
#include <tenon/backend/codegen/text/quantities.hpp>

/// The index of an element, as text.
namespace tenon::internal::codegen {

/// An index along an axis: the sum of names, and of a run-time number. A negative name is an axis
/// of the kernel's rows.
struct Place {
  std::vector<int> terms;
  std::int64_t start = 0;
};
using Places = std::array<Place, max_rank>;

/// Axes flattened into one loop: the index along each of them, and the size.
struct Flat {
  int name;
  int rank;
  Quantities sizes;
  Places at;
};

/// A range of axes of memory, and the index along them together.
struct FlatRange {
  int name, first, past;
};

/// The axes iterated as rows, flattened: their sizes, and the name of the row.
struct Rows {
  int rank = 0;
  int row = -1;
  Quantities sizes{};
  mutable bool are_taken_apart = false;  ///< Whether the index of a single axis is needed.
  std::vector<Flat> flats{};             ///< Axes within a row that are flattened.

  static int term(int axis) { return -1 - axis; }
};

/// The context of an index text.
struct Indexing {
  Listing& listing;
  Variables& variables;
  Rows const& rows;

  /// The name of a term; row axes get a name on first use.
  int name(int term) const {
    if (term >= 0) return term;
    int const axis = Rows::term(term);
    if (rows.rank == 1) return rows.row;
    rows.are_taken_apart = true;
    std::string text = listing.text(rows.row);
    std::string const inner = product_text(variables, rows.sizes, axis + 1, rows.rank);
    if (inner != "1") text += " / " + factor_text(inner);
    if (axis > 0) text += " % " + variables.text(rows.sizes[static_cast<std::size_t>(axis)]);
    return listing.value("i64", text, {rows.row});
  }

  /// Whether the first axes of memory are those of the rows.
  bool follows_rows(Quantities const& sizes, int rank, Places const& at) const {
    if (rows.rank == 0 || rank < rows.rank || !listing.functions().are_optimised) return false;
    for (int i = 0; i < rows.rank; ++i) {
      auto const axis = static_cast<std::size_t>(i);
      if (at[axis].terms != std::vector{Rows::term(i)} || at[axis].start != 0) return false;
      if (i > 0 && !variables.agree(sizes[axis], rows.sizes[axis])) return false;
    }
    return true;
  }

  /// Whether the axes of memory from `first` on are flattened ones.
  bool is_flat(Flat const& flat, int first, Quantities const& sizes, Places const& at) const {
    for (int i = 0; i < flat.rank; ++i) {
      auto const own = static_cast<std::size_t>(i);
      auto const axis = own + static_cast<std::size_t>(first);
      if (at[axis].terms != flat.at[own].terms || at[axis].start != 0) return false;
      if (i > 0 && !variables.agree(sizes[axis], flat.sizes[own])) return false;
    }
    return flat.rank > 1 && listing.functions().are_optimised;
  }

  /// The axes of memory that are flattened ones: the last such; else an empty range at the end.
  FlatRange flat(Quantities const& sizes, int rank, Places const& at) const {
    for (Flat const& one : rows.flats)
      for (int first = rank - one.rank; first >= 0; --first)
        if (is_flat(one, first, sizes, at)) return {one.name, first, first + one.rank};
    return {-1, rank, rank};
  }
};

/// An index, as a text, and the names in it.
struct IndexText {
  std::string text;
  std::vector<int> names;

  void add(Listing const& listing, int name, std::string const& stride) {
    names.push_back(name);
    add(listing.text(name) + (stride == "1" ? "" : " * " + stride));
  }
  void add(std::string const& part) { text += (text.empty() ? "" : " + ") + part; }
};

/// Adds the terms of the axes `first` to `past`, axis i with the stride `stride(i)`.
template <class Stride>
void add_terms(Indexing const& in, int first, int past, Places const& at, Stride const& stride,
               IndexText& index) {
  for (int i = first; i < past; ++i) {
    for (int term : at[static_cast<std::size_t>(i)].terms) {
      index.add(in.listing, in.name(term), stride(i));
    }
  }
}

/// An index from a start offset.
inline IndexText with_start(Indexing const& in, std::int64_t start, IndexText index) {
  if (start != 0) index.add(in.variables.text(in.variables.start(start)));
  if (index.text.empty()) index.text = "0";
  return index;
}

/// For row-major memory.
inline IndexText row_major_index(Indexing const& in, Quantities const& sizes, int rank,
                                 Places const& at) {
  auto const stride = [&](int axis) { return product_text(in.variables, sizes, axis + 1, rank); };
  std::int64_t start = 0, step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    start += at[static_cast<std::size_t>(i)].start * step;
    step *= sizes[static_cast<std::size_t>(i)].number;
  }
  IndexText index;
  bool const follows = in.follows_rows(sizes, rank, at);
  if (follows) index.add(in.listing, in.rows.row, stride(in.rows.rank - 1));
  FlatRange const flat = in.flat(sizes, rank, at);
  if (flat.first < flat.past) index.add(in.listing, flat.name, stride(flat.past - 1));
  add_terms(in, follows ? in.rows.rank : 0, flat.first, at, stride, index);
  add_terms(in, flat.past, rank, at, stride, index);
  return with_start(in, start, index);
}

/// For strided memory, from a start offset.
inline IndexText strided_index(Indexing const& in, Quantities const& strides, int rank,
                               Places const& at, std::int64_t start = 0) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
    start += at[i].start * strides[i].number;
  auto const stride = [&](int axis) {
    return in.variables.text(strides[static_cast<std::size_t>(axis)]);
  };
  IndexText index;
  add_terms(in, 0, rank, at, stride, index);
  return with_start(in, start, index);
}

}  // namespace tenon::internal::codegen
