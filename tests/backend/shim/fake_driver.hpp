// The state of a CUDA driver on a machine without a device: a queue of operations, executed on
// synchronisation, and device memory.

#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "fake_memory.hpp"
#include "groups.hpp"

namespace shim {

/// The CUDA error codes that the fake returns.
inline constexpr int success = 0, invalid_value = 1, out_of_memory = 2, not_initialised = 3,
                     invalid_device = 101, invalid_image = 200, invalid_context = 201,
                     invalid_handle = 400, not_found = 500, illegal_address = 700,
                     launch_failed = 719, cannot_record = 900, recording_lost = 901,
                     not_recording = 401;

/// A kernel of a library that the shim has built.
struct FakeFunction {
  Entry entry;
  std::string kinds;
  bool has_barriers;
};

class FakeDriver {
 public:
  using Address = FakeMemory::Address;

  static FakeDriver& instance() {
    static FakeDriver& one = *new FakeDriver;
    return one;
  }

  /// Executes the queue up to a position. The first error persists, as on a device.
  int run_until(std::size_t end) {
    while (done < end && !queue_.empty()) {
      auto const next = std::move(queue_.front());
      queue_.pop_front();
      ++done;
      int const code = error == success ? next() : success;
      if (error == success) error = code;
    }
    return error;
  }
  int run_all() { return run_until(asked); }

  int ask(std::function<int()> what) {
    if (graph != nullptr) return graph->push_back(std::move(what)), success;
    if (error != success) return error;
    queue_.push_back(std::move(what));
    ++asked;
    return success;
  }

  /// Launches a kernel. Its arguments are copied immediately, as a driver does.
  int launch(FakeFunction const& function, Index groups, Index members, void* const* arguments) {
    std::vector<std::uint64_t> values(function.kinds.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      std::memcpy(&values[i], arguments[i], bytes_of(function.kinds[i]));
    return ask([=, this, &function] { return run(function, groups, members, values); });
  }

  /// Operations recorded instead of executed while the stream records.
  using Graph = std::vector<std::function<int()>>;
  Graph* graph = nullptr;

  FakeMemory memory{};
  std::set<void const*> handles{};  ///< Existing streams, events, modules and functions.
  std::map<std::uintptr_t, std::size_t> pinned_bytes{};  ///< Page-locked memory of the host.
  std::size_t asked = 0, done = 0;
  int error = success;

  bool is_pinned(void const* at, std::size_t bytes) const {
    auto const address = reinterpret_cast<std::uintptr_t>(at);
    auto found = pinned_bytes.upper_bound(address);
    if (found == pinned_bytes.begin()) return false;
    --found;
    return address + bytes <= found->first + found->second;
  }

 private:
  static std::size_t bytes_of(char kind) {
    return kind == 'p' ? sizeof(void*) : static_cast<std::size_t>(kind - '0');
  }

  int run(FakeFunction const& function, Index groups, Index members,
          std::vector<std::uint64_t> values) const {
    std::vector<void*> places;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (function.kinds[i] == 'p' && values[i] != 0) {
        std::byte* const at = memory.find(values[i], 0);
        if (at == nullptr) return illegal_address;
        values[i] = reinterpret_cast<std::uint64_t>(at);
      }
      places.push_back(&values[i]);
    }
    try {
      Groups(function.entry, places.data()).run(groups, members, function.has_barriers);
    } catch (std::exception const& exception) {
      std::fprintf(stderr, "shim: %s\n", exception.what());
      return launch_failed;
    }
    return success;
  }

  std::deque<std::function<int()>> queue_{};
};

}  // namespace shim
