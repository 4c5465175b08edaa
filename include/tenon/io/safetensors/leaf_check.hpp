#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/io/safetensors/dtype.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon {

/// Mismatches that `load` tolerates.
struct LoadOptions {
  bool ignore_extra = false;       ///< Tensors in the file that are not in the tree.
  bool keep_missing = false;       ///< Leaves that are not in the file: they keep their values.
  bool ignore_axis_names = false;  ///< Axis names in the file that differ from those of the tree.

  /// Floating dtypes that differ: elements are rounded to nearest. Of safetensors files only.
  bool cast = false;

  bool report_all = false;  ///< One exception names up to eight mismatches, not the first alone.

  /// Run-time sizes must be those of the prototype, except those of leaves without elements.
  bool same_sizes = false;

  /// The name of an entry from the path of its leaf, where they differ: `"blocks.0.query"` to
  /// `"h.0.attn.q.weight"`.
  std::function<std::string(std::string const& path)> entry_name{};
};

}  // namespace tenon

namespace tenon::internal {

namespace safetensors {

/// The name of the entry of a leaf.
std::string name_in_file(std::string const& path, LoadOptions const& options);

/// Axes with the run-time sizes of a leaf.
Shape with_sizes(Shape shape, Sizes const& sizes, int rank);

/// Compares the leaves of a tree with a header.
class LeafCheck {
 public:
  /// `where` is the file in messages, `who` the operation.
  LeafCheck(Header const& header, LoadOptions options, std::string where,
            std::string_view who = "load")
      : header_(header), options_(std::move(options)), where_(std::move(where)), who_(who) {}

  /// Whether the file has a leaf. Throws if it does not fit.
  bool leaf(std::string const& name, StoredDtype const& dtype, Shape const& shape) const;

  /// Throws if an entry has no leaf; `found` are the names of the leaves. With `report_all` the
  /// mismatches of all leaves are thrown here.
  void others(std::vector<std::string> found) const;

 private:
  bool has_dtype(Entry const& entry, StoredDtype const& dtype) const;

  bool has_axes(std::string const& name, Entry const& entry, Shape const& shape) const;

  static std::string in_tree(StoredDtype const& dtype, Shape const& shape);

  struct Mismatch {
    std::string name, expected, got;
    bool is_of_axes;
  };

  /// Throws, or notes the mismatch for `others`.
  void refuse(Mismatch mismatch) const;

  [[noreturn]] void fail_for(Mismatch const& mismatch) const;
  [[noreturn]] void fail_for_all() const;

  Header const& header_;
  LoadOptions options_;
  std::string where_, who_;
  mutable std::vector<Mismatch> mismatches_{};  // with report_all
};

/// Throws for a byte other than 0 or 1, which would be undefined behaviour as a bool.
void check_bools(std::string_view name, std::byte const* bytes, std::size_t count,
                 std::string_view where, std::string_view who = "load");

}  // namespace safetensors

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>

#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/io/safetensors/leaf.hpp>

namespace tenon::internal {

namespace safetensors {

TENON_RUNTIME std::string name_in_file(std::string const& path, LoadOptions const& options) {
  return options.entry_name ? options.entry_name(path) : path;
}

TENON_RUNTIME Shape with_sizes(Shape shape, Sizes const& sizes, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (!shape[i].is_static()) shape[i] = named_axis(shape[i].name.view(), at(sizes, i));
  }
  return shape;
}

TENON_RUNTIME void LeafCheck::fail_for(Mismatch const& mismatch) const {
  auto const& [name, expected, got, is_of_axes] = mismatch;
  if (is_of_axes) fail<ShapeError>({who_, name, expected, got, where_});
  fail<FileError>({who_, name, expected, got, where_});
}

TENON_RUNTIME void LeafCheck::fail_for_all() const {
  constexpr std::size_t most = 8;
  std::string got = std::to_string(mismatches_.size()) + " others";
  for (std::size_t i = 0; i < (std::min)(mismatches_.size(), most); ++i) {
    auto const& [name, expected, found, is_of_axes] = mismatches_[i];
    got.append(i == 0 ? ": '" : "; '").append(escaped(name)).append("': expected ");
    got.append(expected).append(", got ").append(found);
  }
  if (mismatches_.size() > most) {
    got.append("; and ").append(std::to_string(mismatches_.size() - most)).append(" more");
  }
  bool const are_of_axes = std::ranges::all_of(mismatches_, &Mismatch::is_of_axes);
  fail_for({"", "the entries of the tree", got, are_of_axes});
}

TENON_RUNTIME void LeafCheck::refuse(Mismatch mismatch) const {
  if (!options_.report_all) fail_for(mismatch);
  mismatches_.push_back(std::move(mismatch));
}

TENON_RUNTIME bool LeafCheck::leaf(std::string const& name, StoredDtype const& dtype,
                                   Shape const& shape) const {
  Entry const* const found = find_entry(header_, name);
  if (!found && options_.keep_missing) return false;
  if (!found) {
    refuse({name, in_tree(dtype, shape), "no tensor of that name", false});
    return false;
  }
  bool const is_dtype = has_dtype(*found, dtype);
  if (!is_dtype || !has_axes(name, *found, shape)) {
    refuse({name, in_tree(dtype, shape), described(header_, name, *found), is_dtype});
  }
  return true;
}

TENON_RUNTIME void LeafCheck::others(std::vector<std::string> found) const {
  std::ranges::sort(found);
  for (auto const& [name, entry] : header_.entries) {
    if (options_.ignore_extra || std::ranges::binary_search(found, name)) continue;
    refuse({name, "no tensor of that name", described(header_, name, entry), false});
  }
  if (mismatches_.size() == 1) fail_for(mismatches_.front());
  if (!mismatches_.empty()) fail_for_all();
}

TENON_RUNTIME bool LeafCheck::has_dtype(Entry const& entry, StoredDtype const& dtype) const {
  return entry.dtype == &dtype ||
         (options_.cast && is_castable(*entry.dtype) && is_castable(dtype));
}

TENON_RUNTIME bool LeafCheck::has_axes(std::string const& name, Entry const& entry,
                                       Shape const& shape) const {
  if (entry.sizes.size() > max_rank) return false;
  Shape axes = axes_of(header_, name, entry);
  for (int i = 0; options_.ignore_axis_names && i < axes.rank; ++i) axes[i].name = FixedText();
  return fits(shape, axes, sizes_of(entry));
}

TENON_RUNTIME std::string LeafCheck::in_tree(StoredDtype const& dtype, Shape const& shape) {
  return quoted_spec(dtype.dtype, format(shape).view());
}

TENON_RUNTIME void check_bools(std::string_view name, std::byte const* bytes, std::size_t count,
                               std::string_view where, std::string_view who) {
  for (std::byte const* at = bytes; at != bytes + count; ++at) {
    if (*at <= std::byte{1}) continue;
    std::string const got = "the byte " + std::to_string(std::to_integer<int>(*at));
    fail<FileError>({who, name, "0 or 1 for a bool", got, where});
  }
}

}  // namespace safetensors

}  // namespace tenon::internal

#endif
