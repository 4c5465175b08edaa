#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/index.hpp>

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

/// The owner of a struct of DLPack: calls its deleter once.
template <ManagedTensor M, class D>
class DlpackOwner {
 public:
  explicit DlpackOwner(M* managed) : managed_(managed) {}
  DlpackOwner(DlpackOwner&& other) noexcept : managed_(std::exchange(other.managed_, nullptr)) {}
  DlpackOwner& operator=(DlpackOwner&&) = delete;
  ~DlpackOwner() {
    if (managed_ == nullptr || managed_->deleter == nullptr) return;
    if constexpr (requires { D::synchronise(); }) wait();
    managed_->deleter(managed_);
  }

  M const* operator->() const { return managed_; }
  explicit operator bool() const { return managed_ != nullptr; }

 private:
  /// Kernels that read the memory may still run. (A device that fails here runs none.)
  static void wait() noexcept {
    try {
      D::synchronise();
    } catch (Error const&) {
    }
  }

  M* managed_;
};

}  // namespace tenon::internal

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

/// The same for a dtype; the narrow floating ones have codes of their own.
template <class T>
constexpr std::uint8_t code_of() {
  if constexpr (std::is_same_v<T, bfloat16>) return 4;
  else if constexpr (std::is_same_v<T, float8_e4m3fn>) return 10;
  else if constexpr (std::is_same_v<T, float8_e5m2>) return 12;
  else return code_of(dtype<T>.category);
}

template <class T>
inline constexpr dlpack::DLDataType dtype_of{code_of<T>(), 8 * sizeof(T), 1};

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

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include <tenon/tensor/memory.hpp>

namespace tenon::internal::interchange {

template <class Exception = ValueError>
[[noreturn, gnu::cold]] void refuse(std::string_view spec, std::string const& expected,
                                    std::string const& got) {
  fail<Exception>({.who = "from_dlpack", .what = spec, .expected = expected, .got = got});
}

TENON_RUNTIME void check_version(std::uint32_t major, std::uint32_t minor) {
  if (major != version.major)
    fail({.who = "from_dlpack",
          .expected = "version 1 of DLPack",
          .got = std::to_string(major) + "." + std::to_string(minor)});
}

[[noreturn, gnu::cold]] TENON_RUNTIME void refuse_read_only(std::string_view spec) {
  refuse(spec, "memory that may be written", "a read-only tensor");
}

/// The name of a dtype: "float64"; with its lanes if it is a vector.
TENON_RUNTIME std::string text_of(dlpack::DLDataType type) {
  constexpr std::array<std::string_view, 7> names{
      "int", "uint", "float", "an opaque type of ", "bfloat", "complex", "bool"};
  std::string const bits = std::to_string(type.bits);
  std::string text = type.code < names.size()
                         ? std::string(names[type.code]) + bits
                         : "type " + std::to_string(type.code) + " of " + bits + " bits";
  if (type.code == 6 && type.bits == 8) text = "bool";
  return type.lanes == 1 ? text : text + " in " + std::to_string(type.lanes) + " lanes";
}

/// The name of a kind of memory: "cuda:1".
TENON_RUNTIME std::string text_of(dlpack::DLDevice device) {
  constexpr std::array<std::string_view, 19> names{
      "",       "cpu",    "cuda",    "cuda_host", "opencl",    "", "",
      "vulkan", "metal",  "vpi",     "rocm",      "rocm_host", "", "cuda_managed",
      "oneapi", "webgpu", "hexagon", "maia",      "trn"};
  auto const type = static_cast<std::size_t>(device.device_type);
  std::string const name = type < names.size() && !names[type].empty()
                               ? std::string(names[type])
                               : "device type " + std::to_string(device.device_type);
  return name + ":" + std::to_string(device.device_id);
}

TENON_RUNTIME bool is_memory_of(dlpack::DLDevice device, Wanted const& wanted) {
  std::int32_t const type = device.device_type;
  if (wanted.is_host) return type == cpu || type == cuda_host || type == rocm_host;
  return (type == cuda || type == cuda_managed) && device.device_id == 0;
}

TENON_RUNTIME void check_type(dlpack::DLTensor const& given, Wanted const& wanted) {
  dlpack::DLDataType const type = given.dtype, own = wanted.dtype;
  if (type.code != own.code || type.bits != own.bits || type.lanes != 1)
    refuse(wanted.spec, std::string(wanted.dtype_name), text_of(type));
  if (!is_memory_of(given.device, wanted))
    refuse(wanted.spec, "memory of " + std::string(wanted.device), text_of(given.device));
  if (given.ndim != wanted.rank)
    refuse<ShapeError>(wanted.spec, std::to_string(wanted.rank) + " axes",
                       std::to_string(given.ndim));
}

TENON_RUNTIME void check_address(void const* data, Wanted const& wanted) {
  if (data == nullptr) refuse(wanted.spec, "an address", "null");
  auto const alignment = static_cast<std::uintptr_t>(wanted.alignment);
  std::uintptr_t const beyond = reinterpret_cast<std::uintptr_t>(data) % alignment;
  if (beyond != 0)
    refuse(wanted.spec, "an address that is a multiple of " + std::to_string(alignment),
           "one that is " + std::to_string(beyond) + " beyond");
}

TENON_RUNTIME Layout layout_of(dlpack::DLTensor const& given, Wanted const& wanted) {
  check_type(given, wanted);
  auto const rank = static_cast<std::size_t>(wanted.rank);
  Layout layout{.data = given.data};
  if (rank > 0) std::copy_n(given.shape, rank, layout.sizes.begin());
  bool const is_empty =
      memory::bytes_of(std::span(layout.sizes).first(rank), wanted.dtype.bits / 8u) == 0;
  if (given.strides == nullptr) layout.strides = row_major(layout.sizes, wanted.rank);
  else std::copy_n(given.strides, rank, layout.strides.begin());
  if (is_empty) return layout;
  if (layout.data != nullptr) layout.data = static_cast<std::byte*>(given.data) + given.byte_offset;
  check_address(layout.data, wanted);
  return layout;
}

}  // namespace tenon::internal::interchange

#endif
