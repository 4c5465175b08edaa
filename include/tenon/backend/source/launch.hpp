#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/backend/source/kernel.hpp>

/// What a kernel is started with.
namespace tenon::source {

/// An argument of a kernel: memory, or a number of so many bytes.
struct LaunchArgument {
  void const* memory = nullptr;
  std::size_t bytes = 0;  ///< Of a number; 0: memory.
  std::array<std::byte, 8> number{};

  static LaunchArgument of_memory(void const* memory) { return {memory, 0, {}}; }
  static LaunchArgument of_number(void const* number, std::size_t bytes) {
    LaunchArgument argument{nullptr, bytes, {}};
    std::memcpy(argument.number.data(), number, bytes);
    return argument;
  }
};

/// What a kernel is started with, in the order of its parameters.
inline std::vector<LaunchArgument> launch_arguments(Kernel const& kernel, void const* result) {
  std::vector<LaunchArgument> all{LaunchArgument::of_memory(result)};
  for (Memory const& memory : kernel.memories)
    all.push_back(LaunchArgument::of_memory(memory.data));
  for (auto const& number : kernel.numbers)
    all.push_back(LaunchArgument::of_number(&number.value, sizeof number.value));
  for (auto const& scalar : kernel.scalars)
    all.push_back(LaunchArgument::of_number(scalar.value.data(), scalar.bytes));
  return all;
}

/// The compiled kernels of a device, by their text. Thread-safe.
template <class D>
class Compiled {
 public:
  static typename D::Function function(std::string const& name, std::string const& text) {
    static Compiled& all = *new Compiled;
    std::lock_guard const lock(all.mutex_);
    auto const known = all.functions_.find(text);
    if (known != all.functions_.end()) return known->second;
    return all.functions_[text] = D::compile(name, text);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, typename D::Function> functions_;
};

}  // namespace tenon::source
