#pragma once

#include <concepts>
#include <cstdint>

/// The structs of DLPack 1.1 and their names: <https://dmlc.github.io/dlpack/latest/c_api.html>.
namespace tenon::dlpack {

/// The version of the structs. Another major version has another layout after `flags`.
struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};

/// The kind of memory, and the number of the device.
struct DLDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};

/// A dtype: its category, and its bits.
struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

/// Memory with a shape; strides in elements, null where it is row-major.
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};

/// The struct of a capsule named "dltensor": that of DLPack before 1.0, without flags.
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

/// The struct of a capsule named "dltensor_versioned".
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

}  // namespace tenon::dlpack

namespace tenon::internal::interchange {

inline constexpr dlpack::DLPackVersion version{1, 1};

/// Bits of `flags`.
inline constexpr std::uint64_t read_only_flag = 1, is_copied_flag = 2;

/// Values of `device_type`: kDLCPU, kDLCUDA, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged.
inline constexpr std::int32_t cpu = 1, cuda = 2, cuda_host = 3, rocm_host = 11, cuda_managed = 13;

}  // namespace tenon::internal::interchange

namespace tenon::internal {

/// One of the two structs, or the same of another header, such as `<dlpack/dlpack.h>`.
template <class M>
concept ManagedTensor = requires(M& m) {
  m.deleter(&m);
  { m.manager_ctx } -> std::convertible_to<void*>;
  { m.dl_tensor.data } -> std::convertible_to<void*>;
  { m.dl_tensor.byte_offset } -> std::convertible_to<std::uint64_t>;
};

/// One with flags.
template <class M>
concept VersionedTensor = ManagedTensor<M> && requires(M& m) {
  { m.flags } -> std::convertible_to<std::uint64_t>;
  { m.version.major } -> std::convertible_to<std::uint32_t>;
};

}  // namespace tenon::internal
