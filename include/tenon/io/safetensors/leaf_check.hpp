#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/shape.hpp>
#include <tenon/io/safetensors/dtype.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon {

/// What `load` lets pass.
struct LoadOptions {
  bool ignore_extra = false;       ///< Tensors in the file that the tree has no place for.
  bool keep_missing = false;       ///< Leaves that the file lacks: they keep their values.
  bool ignore_axis_names = false;  ///< Names of axes in the file that are not those of the tree.
};

namespace safetensors {

/// Compares what a tree needs with what a header has.
class LeafCheck {
 public:
  /// `where` is the file in messages.
  LeafCheck(Header const& header, LoadOptions options, std::string where)
      : header_(header), options_(options), where_(std::move(where)) {}

  /// Has the file a leaf? One that does not fit is an error.
  bool leaf(std::string const& name, StoredDtype const& dtype, Shape const& shape) const;

  /// Every entry has a leaf; `found` are those that were asked for.
  void others(std::vector<std::string> found) const;

 private:
  bool has_axes(std::string const& name, Entry const& entry, Shape const& shape) const;

  static std::string in_tree(StoredDtype const& dtype, Shape const& shape);

  template <class Exception>
  [[noreturn]] void refuse(std::string const& name, Entry const& entry, StoredDtype const& dtype,
                           Shape const& shape) const;

  Header const& header_;
  LoadOptions options_;
  std::string where_;
};

/// Another byte than 0 or 1 is no bool, and to read it as one is undefined.
void check_bools(std::string_view name, std::byte const* bytes, std::size_t count,
                 std::string_view where);

}  // namespace safetensors
}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/leaf_check.ipp>
#endif
