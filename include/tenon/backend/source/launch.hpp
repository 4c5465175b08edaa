#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// What a kernel is started with.
namespace tenon::source {

/// An argument of a kernel: memory, or a number of so many bytes.
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

/// How many work items a kernel is started for.
struct Work {
  std::int64_t rows = 1;    ///< Dealt out by the kernel among as many as the device likes to start;
  std::int64_t groups = 0;  ///< or, where this is not 0, so many groups that work together, each
  int members = 0;          ///< of so many.
};

}  // namespace tenon::source
