#pragma once

#include <cstddef>
#include <filesystem>

#include <tenon/core/config.hpp>
#include <tenon/io/mapped_file.hpp>
#include <tenon/io/npy/load.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::internal::npy {

/// Maps a file whose array fits; `header` is set to its header.
MappedFile map_array(std::filesystem::path const& path, StoredDtype const& dtype,
                     Shape const& shape, Header& header);

}  // namespace tenon::internal::npy

namespace tenon::npy {

/// An npy file in memory without a copy, read where it is used; `X` is a tensor type of the host.
/// `view()` is a view of its elements, which must not outlive this object; an array in Fortran
/// order has strides accordingly. Checked and thrown as by `load`; the elements must be aligned, as
/// in files of NumPy and Tenon. The file may be replaced by `save` meanwhile, but not shortened.
/// NumPy: `np.load(path, mmap_mode="r")`.
template <class X>
class Mapped {
  static_assert(internal::is_tensor<X>, "tenon::npy::Mapped: expected a tensor type");
  static_assert(X::device::is_host, "tenon::npy::Mapped: the memory of a file is the host's");
  using T = typename X::value_type;

 public:
  explicit Mapped(std::filesystem::path const& path)
      : memory_(internal::npy::map_array(path, internal::npy::dtype_of<X>(), X::shape, header_)) {}

  View<T, X::spec> view() const& {
    auto const* const elements = reinterpret_cast<T const*>(memory_.data() + header_.data_at);
    return {elements, internal::npy::sizes_of(header_), internal::npy::strides_of(header_)};
  }
  void view() const&& = delete;

 private:
  internal::npy::Header header_{};
  internal::MappedFile memory_;
};

}  // namespace tenon::npy

#if TENON_DEFINES_RUNTIME
#include <tenon/io/npy/mapped.ipp>
#endif
