#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/npy.hpp>
#include <tenon/io/npy/elements.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::npz {

/// How `npz::save` writes the arrays.
struct SaveOptions {
  bool compressed = false;  ///< As `np.savez_compressed`.
};

}  // namespace tenon::npz

namespace tenon::internal::npz {

/// Leaves in this format, for `safetensors::TreeReader`.
struct Format : safetensors::PlainFormat {
  template <class Tree>
  static constexpr void check_tree() {
    static_assert(!Expression<Tree> || is_tensor<Tree>,
                  "tenon::npz: an expression is not stored; evaluate it first, with eval");
    static_assert(safetensors::has_leaves<Tree>(),
                  "tenon::npz: there is neither a tensor nor a number in this type");
  }
  template <class Leaf>
  static constexpr void check_storable() {
    static_assert(npy::is_storable<Leaf>, "tenon::npz: a leaf is neither a tensor nor a number");
  }
  template <class Leaf>
  static npy::StoredDtype const& dtype() {
    return npy::dtype_of<Leaf>();
  }
};

/// Atomically writes a file with these arrays.
void write_arrays(std::filesystem::path const& path, std::vector<safetensors::Item> const& arrays,
                  bool compressed);

/// Opens a file, and checks all but the elements. Throws `FileError`.
std::shared_ptr<safetensors::TensorFile const> open_file(std::filesystem::path const& path);

/// Saves a tree as an npz file: the arrays are named by their paths, `layers.0.weight`; a lone
/// tensor is `value`. Numbers are arrays without axes, a `Key` two words; `Frozen` parts are stored
/// too, names of axes are not. The same tree makes the same bytes. The file is written atomically;
/// a compressed array needs memory for its compressed bytes. Throws `FileError`, and `ShapeError`
/// where two run-time axes of one struct have one name and differ in size. NumPy: `np.savez`.
template <class Tree>
void save(std::filesystem::path const& path, Tree const& tree,
          tenon::npz::SaveOptions options = {}) {
  Format::check_tree<Tree>();
  tree::SizeCheck("npz::save", path.string())(tree);
  std::vector<safetensors::Item> arrays;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(tree::Path const& at, Leaf const& leaf) {
        Format::check_storable<Leaf>();
        if constexpr (npy::is_storable<Leaf>)
          arrays.push_back(npy::item_of(safetensors::entry_name(at), leaf));
      },
      tree);
  write_arrays(path, arrays, options.compressed);
}

/// Loads a tree of a type from an npz file, of `np.savez` or `np.savez_compressed` too: the paths
/// of its fields, `layers.0.weight`, are the names of the arrays. Run-time sizes are those of the
/// file, and vectors and optionals that `Tree()` leaves empty get the elements that the names
/// imply. All but the elements is checked before any are read, as by `npy::load`; then checksums.
/// Throws `FileError`, `ShapeError` for axes that do not fit, `ValueError` for the option `cast`.
/// NumPy: `np.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  return safetensors::TreeReader<Format>(*open_file(path), std::move(options))
      .template read<Tree>();
}

/// The same with the structure of another tree, as `tenon::load`.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  return safetensors::TreeReader<Format>(*open_file(path), std::move(options)).read(prototype);
}

}  // namespace tenon::internal::npz

namespace tenon::npz {

using internal::npz::load;
using internal::npz::save;

/// An open npz file, of which arrays are read one by one. The constructor checks all but the
/// elements; throws `FileError`. NumPy: `np.load`, an `NpzFile`.
class File {
 public:
  explicit File(std::filesystem::path const& path) : file_(internal::npz::open_file(path)) {}

  /// The names of the arrays, each with its dtype and sizes as `float32 "784 10"`.
  std::map<std::string, std::string> contents() const {
    return internal::safetensors::contents_of(file_->index());
  }

  bool contains(std::string_view name) const {
    return internal::safetensors::find_entry(file_->index(), name) != nullptr;
  }

  /// The array of a name as a tensor or a number. Throws as `npy::load`.
  template <class X>
  X load(std::string const& name) const {
    internal::npy::check_array<X>();
    return internal::safetensors::load_leaf<internal::npz::Format, X>(*file_, name);
  }

 private:
  std::shared_ptr<internal::safetensors::TensorFile const> file_;
};

}  // namespace tenon::npz

#if TENON_DEFINES_RUNTIME
#include <tenon/io/npz.ipp>
#endif
