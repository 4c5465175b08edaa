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

#include <functional>

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/npz/zip_directory.hpp>
#include <tenon/io/npz/zip_members.hpp>

namespace tenon::internal::npz {

TENON_RUNTIME void write_arrays(std::filesystem::path const& path,
                                std::vector<safetensors::Item> const& arrays, bool compressed) {
  AtomicFile file(path, "npz::save");
  ZipWriter zip(file);
  for (safetensors::Item const& array : arrays) {
    safetensors::HostElements const elements(array);
    std::string const head = npy::head_of(*array.dtype, array.sizes);
    zip.add(array.name + ".npy", {head, elements.data(), elements.bytes()}, compressed);
  }
  zip.finish();
  file.commit();
}

/// An open npz file.
class Arrays final : public safetensors::TensorFile {
 public:
  explicit Arrays(std::filesystem::path const& path)
      : TensorFile(path.string(), "npz::load"), file_(path, who()) {
    for (Member& member : DirectoryReader(file_, place({})).read()) add(std::move(member));
  }

  void check_dtype(std::string const& name) const override {
    auto const found = arrays_.find(name);
    if (found != arrays_.end()) npy::check_dtype(found->second.header, place(name));
  }

  void read(std::string const& name, npy::StoredDtype const&, void* to) const override {
    Array const& array = arrays_.find(name)->second;
    MemberStream stream(file_, array.member, place(name));
    std::string head(static_cast<std::size_t>(array.header.data_at), '\0');
    stream.read(head.data(), head.size());
    npy::read_elements(stream, array.header, to);
    stream.finish();
  }

 private:
  struct Array {
    Member member{};
    npy::Header header{};
    npy::StoredDtype unknown{};  ///< The dtype in the index, if Tenon does not have it.
  };

  ArrayPlace place(std::string name) const { return {who(), std::move(name), this->name()}; }

  void add(Member&& member) {
    std::string const name = member.name.substr(0, member.name.size() - 4);
    Array& array = arrays_[name];
    array.member = std::move(member);
    MemberStream stream(file_, array.member, place(name));
    array.header = npy::read_header(stream);
    index_.entries[name] = npy::entry_of(array.header, array.unknown);
  }

  InputFile file_;
  std::map<std::string, Array, std::less<>> arrays_{};
};

TENON_RUNTIME std::shared_ptr<safetensors::TensorFile const> open_file(
    std::filesystem::path const& path) {
  return std::make_shared<Arrays const>(path);
}

}  // namespace tenon::internal::npz

#endif
