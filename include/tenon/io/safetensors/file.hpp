#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/io/safetensors/leaf.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/open_file.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::safetensors {

/// An open safetensors file, or all files of an index (`model.safetensors.index.json`): names,
/// dtypes and sizes without the elements, and single tensors by name. Copies share it. Throws
/// `FileError`, and `ShapeError` for axes that do not fit. Python: `safetensors.safe_open`.
class File {
 public:
  explicit File(std::filesystem::path const& path)
      : file_(std::make_shared<internal::safetensors::OpenFile>(path)) {}

  /// The names of all tensors, sorted.
  std::vector<std::string> names() const;

  bool contains(std::string_view name) const;

  /// The name of a dtype: `float32`, or that of the file, `F8_E4M3`, where Tenon has none.
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
    check<Leaf>(name, std::move(options));
    auto const read = [&](auto* to) { file_->read(name, to); };
    return leaf_of<Leaf>(OpenFile::sizes<Leaf>(entry(name)), read);
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
    check<R>(name, {.ignore_axis_names = options.ignore_axis_names});
    auto const* const data = elements(name, alignof(T), std::is_same_v<T, bool>);
    internal::Sizes const sizes = OpenFile::sizes<R>(entry(name));
    return View<T, R::spec, typename R::device>(reinterpret_cast<T const*>(data), sizes,
                                                internal::row_major(sizes, R::rank));
  }

 private:
  using Entry = internal::safetensors::Entry;

  template <class Leaf>
  void check(std::string const& name, LoadOptions options) const {
    using namespace internal::safetensors;
    options.keep_missing = false;
    LeafCheck(file_->index(), std::move(options), file_->name())
        .leaf(name, dtype_in_file<Leaf>(), shape_in_file<Leaf>());
  }

  Entry const& entry(std::string_view name) const;

  std::byte const* elements(std::string const& name, std::size_t alignment, bool are_bools) const;

  std::shared_ptr<internal::safetensors::OpenFile const> file_;
};

}  // namespace tenon::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/file.ipp>
#endif
