#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/io/npz/open_file.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal::npz {

/// Loads a tree of a type from an npz file, of `np.savez` or `np.savez_compressed` too: the paths
/// of its fields, `layers.0.weight`, are the names of the arrays. Run-time sizes are those of the
/// file, and vectors and optionals that `Tree()` leaves empty get the elements that the names
/// imply. All but the elements is checked before any are read, as by `npy::load`; then checksums.
/// Throws `FileError`, `ShapeError` for axes that do not fit, `ValueError` for the option `cast`.
/// NumPy: `np.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  OpenFile const file(path);
  return safetensors::TreeReader(file, std::move(options)).template read<Tree>();
}

/// The same with the structure of another tree, as `tenon::load`.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  OpenFile const file(path);
  return safetensors::TreeReader(file, std::move(options)).read(prototype);
}

}  // namespace tenon::internal::npz

namespace tenon::npz {

using internal::npz::load;

/// An open npz file, of which arrays are read one by one. The constructor checks all but the
/// elements; throws `FileError`. NumPy: `np.load`, an `NpzFile`.
class File {
 public:
  explicit File(std::filesystem::path const& path) : file_(path) {}

  /// The names of the arrays, each with its dtype and sizes as `float32 "784 10"`.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (auto const& [name, entry] : file_.index().entries)
      contents[name] = internal::safetensors::described(file_.index(), name, entry);
    return contents;
  }

  bool contains(std::string_view name) const {
    return internal::safetensors::find_entry(file_.index(), name) != nullptr;
  }

  /// The array of a name as a tensor or a number. Throws as `npy::load`.
  template <class X>
  X load(std::string const& name) const {
    namespace files = internal::safetensors;
    internal::npy::check_array<X>();
    file_.check_dtype(name);
    files::LeafCheck const check(file_.index(), {}, file_.name(), file_.who());
    check.leaf(name, internal::npy::dtype_of<X>(), files::Form<X>::shape());
    auto const sizes = files::sizes_of(*files::find_entry(file_.index(), name));
    return files::leaf_of<X>(sizes, [&](auto* to) { file_.read(name, to); });
  }

 private:
  internal::npz::OpenFile file_;
};

}  // namespace tenon::npz
