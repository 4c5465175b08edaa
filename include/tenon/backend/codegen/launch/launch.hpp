#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// Kernel launches.
namespace tenon::internal::codegen {

/// An argument of a kernel: memory, or a number of `bytes` bytes.
struct LaunchArgument {
  void const* memory = nullptr;
  std::size_t bytes = 0;  ///< Of a number; 0: memory.
  std::array<std::byte, 8> number{};

  static LaunchArgument of(std::int64_t number) {
    LaunchArgument argument{nullptr, sizeof number, {}};
    std::memcpy(argument.number.data(), &number, sizeof number);
    return argument;
  }
};

/// The work size of a kernel.
struct Work {
  std::int64_t rows = 1;    ///< Distributed by the kernel over the work items that are launched;
  std::int64_t groups = 0;  ///< or, if not 0, the number of work groups,
  int members = 0;          ///< and their size.
};

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::LaunchArgument;
using internal::codegen::Work;

}  // namespace tenon::codegen
