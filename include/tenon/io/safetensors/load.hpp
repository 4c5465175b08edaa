#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::internal {

namespace safetensors {

/// Leaves in this format, for `TreeReader`.
struct Format {
  static constexpr bool casts = true;

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
};

}  // namespace safetensors

/// Loads a tree of a type from a safetensors file of any origin, or from the files of an index
/// (`model.safetensors.index.json`). Run-time sizes are those of the file, and vectors and
/// optionals that `Tree()` leaves empty get the elements that the names in the file imply; tensors
/// on a device are copied there. Checked before anything is read: the file itself, that each leaf
/// of the tree has an entry and each entry a leaf, dtypes, sizes, bounds, and the names of axes if
/// the file has them. Throws `FileError`, or `ShapeError` for axes that do not fit, also where axes
/// of one name in one struct differ. PyTorch: `torch.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  return safetensors::TreeReader<safetensors::Format>(*safetensors::open_file(path),
                                                      std::move(options))
      .template read<Tree>();
}

/// The same with the structure of another tree: it determines the sizes of vectors and which
/// optionals have a value, and fields that are not in files (strings, for example) are copied from
/// it.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  return safetensors::TreeReader<safetensors::Format>(*safetensors::open_file(path),
                                                      std::move(options))
      .read(prototype);
}

/// The metadata of a safetensors file, without the specs that `save` adds. Throws `FileError`.
/// Python: `safetensors.safe_open(path, "pt").metadata()`.
Metadata load_metadata(std::filesystem::path const& path);

/// The contents of a safetensors file or of an index: names, each with dtype and axes as `float32
/// "in=784 out=10"`. Axes have names if Tenon wrote the file. Throws `FileError`.
std::map<std::string, std::string> load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal

namespace tenon {

using internal::load;
using internal::load_contents;
using internal::load_metadata;

}  // namespace tenon

namespace tenon::safetensors {

/// An open safetensors file, or all files of an index (`model.safetensors.index.json`): names,
/// dtypes and sizes without the elements, and single tensors by name. Copies share it. Throws
/// `FileError`, and `ShapeError` for axes that do not fit. Python: `safetensors.safe_open`.
class File {
 public:
  explicit File(std::filesystem::path const& path)
      : file_(internal::safetensors::open_file(path)) {}

  /// The names of all tensors, sorted.
  std::vector<std::string> names() const;

  bool contains(std::string_view name) const;

  /// The name of a dtype: `float32`, or that of the file, `F8_E8M0`, where Tenon has none.
  std::string_view dtype(std::string_view name) const;

  std::vector<std::int64_t> const& sizes(std::string_view name) const;

  /// The metadata, without the specs that `save` adds. Of several files all, the first of a name.
  Metadata metadata() const;

  /// A tensor (or a number, or a `Key`) by its name: `load<Float32<"in out">>("fc1.weight")`. Of
  /// the options `cast` and `ignore_axis_names` have an effect.
  template <class Leaf>
  Leaf load(std::string const& name, LoadOptions options = {}) const {
    using namespace internal::safetensors;
    check_storable<Leaf>();
    return load_leaf<Format, Leaf>(*file_, name, std::move(options));
  }

  /// The elements in the mapped file, without a copy. The view must not outlive the file and its
  /// copies. The file must not be written to meanwhile: a process that reads pages which are no
  /// longer in the file is ended by the system. Throws `FileError` also for elements that are not
  /// aligned, as the files of some programs have.
  template <TensorType R>
    requires R::device::is_host
  auto view(std::string const& name, LoadOptions const& options = {}) const {
    using namespace internal::safetensors;
    using T = typename R::value_type;
    static_assert(parts_of<T> == 1, "tenon::safetensors: a complex128 is stored as float64");
    check_storable<R>();
    Entry const& found =
        fitting_entry(*file_, name, {.ignore_axis_names = options.ignore_axis_names},
                      dtype_in_file<R>(), shape_in_file<R>());
    auto const* const data = elements(name, alignof(T), std::is_same_v<T, bool>);
    internal::Sizes const sizes = Format::sizes<R>(found);
    return View<T, R::spec, typename R::device>(reinterpret_cast<T const*>(data), sizes,
                                                internal::row_major(sizes, R::rank));
  }

 private:
  using Entry = internal::safetensors::Entry;

  Entry const& entry(std::string_view name) const;

  std::byte const* elements(std::string const& name, std::size_t alignment, bool are_bools) const;

  std::shared_ptr<internal::safetensors::TensorFile const> file_;
};

}  // namespace tenon::safetensors

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>

namespace tenon::internal {

TENON_RUNTIME Metadata load_metadata(std::filesystem::path const& path) {
  return tenon::safetensors::File(path).metadata();
}

TENON_RUNTIME std::map<std::string, std::string> load_contents(std::filesystem::path const& path) {
  return safetensors::contents_of(safetensors::open_file(path)->index());
}

}  // namespace tenon::internal

namespace tenon::safetensors {

TENON_RUNTIME std::vector<std::string> File::names() const {
  std::vector<std::string> result;
  for (auto const& [name, entry] : file_->index().entries) result.push_back(name);
  return result;
}

TENON_RUNTIME bool File::contains(std::string_view name) const {
  return internal::safetensors::find_entry(file_->index(), name) != nullptr;
}

TENON_RUNTIME std::string_view File::dtype(std::string_view name) const {
  auto const& dtype = *entry(name).dtype;
  return dtype.dtype.empty() ? dtype.name : dtype.dtype;
}

TENON_RUNTIME std::vector<std::int64_t> const& File::sizes(std::string_view name) const {
  return entry(name).sizes;
}

TENON_RUNTIME Metadata File::metadata() const {
  Metadata metadata = file_->index().metadata;
  std::erase_if(metadata, [](auto const& note) {
    return note.first.starts_with(internal::safetensors::spec_key);
  });
  return metadata;
}

TENON_RUNTIME File::Entry const& File::entry(std::string_view name) const {
  Entry const* const found = internal::safetensors::find_entry(file_->index(), name);
  if (found == nullptr)
    internal::fail<FileError>({"load", name, "a tensor of that name", "none", file_->name()});
  return *found;
}

TENON_RUNTIME std::byte const* File::elements(std::string const& name, std::size_t alignment,
                                              bool are_bools) const {
  Entry const& found = entry(name);
  std::byte const* const data = internal::safetensors::mapped(*file_, found);
  auto const over = reinterpret_cast<std::uintptr_t>(data) % alignment;
  if (over != 0) {
    std::string const wanted = "elements aligned to " + std::to_string(alignment) + " bytes";
    std::string const got = std::to_string(over) + " bytes after such a place";
    internal::fail<FileError>({"view", name, wanted, got, file_->name()});
  }
  if (are_bools)
    internal::safetensors::check_bools(name, data, found.end - found.begin, file_->name());
  return data;
}

}  // namespace tenon::safetensors

#endif
