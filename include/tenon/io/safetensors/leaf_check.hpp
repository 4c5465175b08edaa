#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
#include <tenon/io/safetensors/leaf_check.ipp>
#endif
