#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/dlpack/layout.hpp>
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
