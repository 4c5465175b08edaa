#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal {

namespace safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// An open file, for `TreeReader`.
class OpenFile {
 public:
  explicit OpenFile(std::filesystem::path const& path) : file_(path), header_(read_header(file_)) {}

  Header const& index() const { return header_; }
  std::string const& name() const { return file_.name(); }
  std::string const& who() const { return file_.who(); }

  template <class Tree>
  static constexpr void check_tree() {
    safetensors::check_tree<Tree>();
  }
  template <class Leaf>
  static constexpr void check_storable() {
    safetensors::check_storable<Leaf>();
  }
  template <class Leaf>
  static StoredDtype const& dtype() {
    return dtype_in_file<Leaf>();
  }
  template <class Leaf>
  static Shape shape() {
    return shape_in_file<Leaf>();
  }
  /// Without the axis of the parts of a complex128.
  template <class Leaf>
  static Sizes sizes(Entry const& entry) {
    Sizes sizes = sizes_of(entry);
    if constexpr (is_tensor<Leaf>)
      for (int i = Leaf::rank; i < max_rank; ++i) at(sizes, i) = 1;
    return sizes;
  }
  void check_dtype(std::string const&) const {}

  template <class T>
  void read(std::string const& name, T* to) const {
    Entry const& entry = *find_entry(header_, name);
    std::size_t const bytes = entry.end - entry.begin;
    file_.read(header_.data_at + entry.begin, to, bytes);
    if constexpr (std::same_as<T, bool>)
      check_bools(name, reinterpret_cast<std::byte*>(to), bytes, file_.name());
  }

 private:
  InputFile file_;
  Header header_;
};

}  // namespace safetensors

/// Loads a tree of a type from a safetensors file of any origin. Run-time sizes are those of the
/// file, and vectors and optionals that `Tree()` leaves empty get the elements that the names in
/// the file imply; tensors on a device are copied there. Checked before anything is read: the file
/// itself, that each leaf of the tree has an entry and each entry a leaf, dtypes, sizes, bounds,
/// and the names of axes if the file has them. Throws `FileError`, or `ShapeError` for axes that do
/// not fit, also where axes of one name in one struct differ. PyTorch: `torch.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  safetensors::OpenFile const file(path);
  return safetensors::TreeReader(file, options).template read<Tree>();
}

/// The same with the structure of another tree: it determines the sizes of vectors and which
/// optionals have a value, and fields that are not in files (strings, for example) are copied from
/// it.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  safetensors::OpenFile const file(path);
  return safetensors::TreeReader(file, options).read(prototype);
}

/// The metadata of a safetensors file, without the specs that `save` adds. Throws `FileError`.
/// Python: `safetensors.safe_open(path, "pt").metadata()`.
Metadata load_metadata(std::filesystem::path const& path);

/// The contents of a safetensors file: names, each with dtype and axes as `float32 "in=784
/// out=10"`. Axes have names if Tenon wrote the file. Throws `FileError`.
std::map<std::string, std::string> load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal

namespace tenon {

using internal::load;
using internal::load_contents;
using internal::load_metadata;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/load.ipp>
#endif
