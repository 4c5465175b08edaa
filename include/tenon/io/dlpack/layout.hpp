#pragma once

#include <string_view>

#include <tenon/core/dtype.hpp>
#include <tenon/io/dlpack/structs.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/index.hpp>

/// The contents of a struct of DLPack, and the check that they fit the type of a view.
namespace tenon::internal::interchange {

/// `DLDataTypeCode` of a dtype.
constexpr std::uint8_t code_of(DtypeCategory category) {
  switch (category) {
    case DtypeCategory::signed_integer:
      return 0;
    case DtypeCategory::unsigned_integer:
      return 1;
    case DtypeCategory::floating:
      return 2;
    case DtypeCategory::complex:
      return 5;
    default:
      return 6;
  }
}

template <class T>
inline constexpr dlpack::DLDataType dtype_of{
    std::is_same_v<T, bfloat16> ? std::uint8_t{4} : code_of(dtype<T>.category), 8 * sizeof(T), 1};

/// A device whose addresses are those of DLPack. (Metal's tensors are `MTLBuffer` objects there and
/// OpenCL's `cl_mem`, of which the addresses of `Mps` and `OpenCl` are no part.)
template <class D>
concept SharesMemory = Device<D> && (D::is_host || D::name == std::string_view("cuda"));

/// The kind of its memory. CUDA's device is number 0, the only one of `Cuda`.
template <SharesMemory D>
inline constexpr dlpack::DLDevice device_of{D::is_host ? cpu : cuda, 0};

/// What a view needs: its type, by values.
struct Wanted {
  std::string_view spec;
  int rank = 0;
  dlpack::DLDataType dtype{};
  std::string_view dtype_name;
  std::string_view device;
  bool is_host = true;
  std::int64_t alignment = 1;
};

/// A struct of DLPack: a copy of what its `dl_tensor` has, of any header.
template <ManagedTensor M>
dlpack::DLTensor described(M const& managed) {
  auto const& given = managed.dl_tensor;
  return {given.data,
          {static_cast<std::int32_t>(given.device.device_type), given.device.device_id},
          given.ndim,
          {given.dtype.code, given.dtype.bits, given.dtype.lanes},
          given.shape,
          given.strides,
          given.byte_offset};
}

/// The sizes and strides of memory, and its first element.
struct Layout {
  void* data = nullptr;
  Sizes sizes = unit_sizes();
  Sizes strides{};
};

/// Throws `Error` for another major version: only the deleter may be used then.
void check_version(std::uint32_t major, std::uint32_t minor);

/// Throws `ValueError` for another dtype, another kind of memory, null or a misaligned address,
/// `ShapeError` for another number of axes, a negative size or too many elements.
Layout layout_of(dlpack::DLTensor const& given, Wanted const& wanted);

/// Throws `ValueError`: a view that writes needs memory that may be written.
[[noreturn, gnu::cold]] void refuse_read_only(std::string_view spec);

}  // namespace tenon::internal::interchange

#if TENON_DEFINES_RUNTIME
#include <tenon/io/dlpack/layout.ipp>
#endif
