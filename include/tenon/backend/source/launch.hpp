#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

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
