#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/backend/codegen/launch/commands.hpp>
#include <tenon/backend/codegen/launch/compiler.hpp>
#include <tenon/backend/codegen/text/dialect.hpp>
#include <tenon/backend/metal/multiplier.hpp>
#include <tenon/backend/metal/queue.hpp>
#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal::metal {

/// A memory operation: fill with zeros, or copy.
enum class Store { zero, copy };

/// The kernel `store` for it, element by element. (Blit commands require offsets and sizes that are
/// multiples of four, and another kind of encoder.)
inline std::string text_of(Store store, std::string const& type) {
  bool const copies = store == Store::copy;
  return codegen::filled(R"(#include <metal_stdlib>

kernel void store(device $0* to [[buffer(0)]], $1constant long& count [[buffer($2)]],
                  uint item_place [[thread_position_in_grid]],
                  uint item_count [[threads_per_grid]]) {
  for (long i = item_place; i < count; i += item_count) to[i] = $3;
}
)",
                         {type, copies ? "device " + type + " const* from [[buffer(1)]], " : "",
                          copies ? "2" : "1", copies ? "from[i]" : "0"});
}

}  // namespace tenon::internal::metal

namespace tenon {

/// The GPU of an Apple machine, by Metal; `data` of its tensors is an address in unified memory.
/// Kernels and copies run in the order of their calls, from all threads. `Float32<"n m", Mps>`;
/// without double. PyTorch: `mps`. So far tested with a mock of Metal only, not on Apple hardware.
struct Mps : internal::codegen::RecordsCommands<Mps> {
  static constexpr std::string_view name = "mps";
  static constexpr bool is_host = false;

  /// Whether there is such a device.
  static bool is_available() {
    return internal::metal::Api::instance().is_there() && first() != nullptr;
  }

  /// The name of the device. Throws `DeviceError` if there is none.
  static std::string model() {
    internal::metal::Pool const pool;
    return internal::metal::words(
        internal::metal::ask<"name", internal::metal::Object>(state().device));
  }

  static void* allocate(std::size_t bytes) { return state().buffers.add(state().device, bytes); }
  static void deallocate(void* memory) { state().buffers.remove(memory); }

  /// Does not wait for earlier commands: the elements are staged in a separate buffer.
  static void copy_from_host(void* to, void const* from, std::size_t bytes) {
    if (recorded()) return recorded()->copy_from_host(to, from, bytes);
    void* const waiting = state().queue.is_idle() ? nullptr : allocate(bytes);
    if (waiting == nullptr) return copy_at_last(to, from, bytes);
    std::memcpy(waiting, from, bytes);
    copy_on_device(to, waiting, bytes);
    deallocate(waiting);
  }
  static void copy_to_host(void* to, void const* from, std::size_t bytes) {
    if (recorded()) internal::codegen::refuse_reading(name);
    copy_at_last(to, from, bytes);
  }
  static void copy_on_device(void* to, void const* from, std::size_t bytes) {
    store(internal::metal::Store::copy, {{to}, {from}}, bytes);
  }
  static void clear(void* to, std::size_t bytes) {
    store(internal::metal::Store::zero, {{to}}, bytes);
  }

  /// A compiled kernel.
  using Function = internal::metal::Pipeline;

  static Function compile(std::string const& kernel, std::string const& text) {
    return internal::metal::compiled(state().device, kernel, text);
  }

  /// Launches a kernel after all earlier commands.
  static void launch(Function const& kernel,
                     std::vector<internal::codegen::LaunchArgument> const& arguments,
                     internal::codegen::Work work) {
    if (recorded()) return recorded()->launch(kernel, arguments, work);
    state().queue.start(kernel, arguments, launch_size(kernel, work));
  }

  /// Whether Metal Performance Shaders compute such a matmul.
  template <class T, internal::metal::SumOf<T> R>
  static bool multiplies(internal::codegen::Matrices<T, R> const& product) {
    auto const given = internal::metal::product_of(product);
    return given && state().multiplier.takes(*given);
  }
  template <class T, internal::metal::SumOf<T> R>
  static void multiply(internal::codegen::Matrices<T, R> const& product) {
    if (recorded()) return recorded()->multiply(product);
    state().queue.start_by("matmul", [&](internal::metal::Object commands) {
      state().multiplier.encode(commands, *internal::metal::product_of(product));
    });
  }

  /// Waits for all commands. Throws `DeviceError` if one has failed.
  static void synchronise() { state().queue.wait(); }

 private:
  static constexpr internal::metal::Natural most_groups = 65536, usual_members = 256;

  struct State {
    internal::metal::Object device;
    internal::metal::Buffers buffers{};
    internal::metal::Queue queue{device, buffers};
    internal::metal::Multiplier multiplier{device, buffers};
  };

  /// Copies after all earlier commands.
  static void copy_at_last(void* to, void const* from, std::size_t bytes) {
    synchronise();
    std::memcpy(to, from, bytes);
  }

  /// The number of work groups, and their size.
  static std::array<internal::metal::Natural, 2> launch_size(Function const& kernel,
                                                             internal::codegen::Work work) {
    auto const count = [](auto number) { return static_cast<internal::metal::Natural>(number); };
    if (work.groups > 0) {
      if (count(work.members) > kernel.most_members)
        internal::metal::refuse(
            "starting a kernel",
            "at most " + std::to_string(kernel.most_members) + " work items in a group",
            std::to_string(work.members));
      return {count(work.groups), count(work.members)};
    }
    internal::metal::Natural const members = (std::min)(kernel.most_members, usual_members);
    return {std::clamp((count(work.rows) + members - 1) / members, internal::metal::Natural{1},
                       most_groups),
            members};
  }

  /// Created on first use, and never destroyed: a tensor in static storage may deallocate at any
  /// time.
  static State& state() {
    static State& one = *made();
    return one;
  }
  static State* made() {
    if (!is_available())
      internal::fail<DeviceError>({.who = "mps", .expected = "a device of Metal", .got = "none"});
    internal::metal::Pool const pool;
    std::unique_ptr<State> made(new State{first()});
    if (!made->queue.is_there())
      internal::metal::refuse("opening the device", "a command queue", "none");
    return made.release();
  }

  /// Never released.
  static internal::metal::Object first() {
    static internal::metal::Object const device = [] {
      internal::metal::Pool const pool;
      return internal::metal::Api::instance().first_device();
    }();
    return device;
  }

  /// Fills or copies memory, by eight bytes if all addresses and sizes are aligned.
  static void store(internal::metal::Store store,
                    std::vector<internal::codegen::LaunchArgument> arguments, std::size_t bytes) {
    if (bytes == 0) return;
    bool const is_wide = std::ranges::all_of(arguments, [&](auto const& argument) {
      return (reinterpret_cast<std::uintptr_t>(argument.memory) | bytes) % 8 == 0;
    });
    auto const count = static_cast<std::int64_t>(is_wide ? bytes / 8 : bytes);
    arguments.push_back(internal::codegen::LaunchArgument::of(count));
    auto const text = internal::metal::text_of(store, is_wide ? "ulong" : "uchar");
    launch(internal::codegen::Compiled<Mps>::function("store", text), arguments, {.rows = count});
  }
};

}  // namespace tenon

namespace tenon::internal {

static_assert(RecordingDevice<Mps>);

}  // namespace tenon::internal
