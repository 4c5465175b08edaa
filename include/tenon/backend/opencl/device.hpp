#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/backend/opencl/compiler.hpp>

#include <tenon/backend/codegen/launch/commands.hpp>
#include <tenon/tensor/device_memory.hpp>

namespace tenon {

/// The first OpenCL device with shared virtual memory (version 2.0 of 2013): `data` of its tensors
/// is an SVM address. Kernels and copies run in the order of their calls, from all threads.
/// `Float32<"n m", OpenCl>`; not in PyTorch.
struct OpenCl : internal::codegen::RecordsCommands<OpenCl> {
  static constexpr std::string_view name = "opencl";
  static constexpr bool is_host = false;

  /// Whether there is such a device, and the OpenCL library.
  static bool is_available() {
    return internal::opencl::Api::instance().is_there() && first() != nullptr;
  }

  /// The name of the device. Throws `DeviceError` if there is none.
  static std::string model() { return text_of(internal::opencl::device_name); }

  static void* allocate(std::size_t bytes) {
    return api().shared_memory(state().target.context, internal::opencl::read_and_write, bytes, 0);
  }
  static void deallocate(void* memory) {
    api().finish(state().queue);
    api().free_shared_memory(state().target.context, memory);
  }
  static void copy_from_host(void* to, void const* from, std::size_t bytes) {
    if (recorded()) recorded()->copy_from_host(to, from, bytes);
    else copy(internal::opencl::wait, to, from, bytes);
  }
  static void copy_to_host(void* to, void const* from, std::size_t bytes) {
    if (recorded()) internal::codegen::refuse_reading(name);
    copy(internal::opencl::wait, to, from, bytes);
  }
  static void copy_on_device(void* to, void const* from, std::size_t bytes) {
    if (recorded()) recorded()->copy_on_device(to, from, bytes);
    else copy(0, to, from, bytes);
  }

  static void clear(void* to, std::size_t bytes) {
    unsigned char const zero = 0;
    if (bytes == 0) return;
    if (recorded()) return recorded()->clear(to, bytes);
    internal::opencl::check(api().fill(state().queue, to, &zero, 1, bytes, 0, nullptr, nullptr),
                            "clearing memory");
  }

  /// A compiled kernel.
  using Function = internal::opencl::Kernel;

  static Function compile(std::string const& kernel, std::string const& text) {
    return internal::opencl::kernel_of(internal::opencl::compiled(state().target, kernel, text),
                                       kernel);
  }

  // The same in two steps, with everything else that the first depends on.
  static std::string image(std::string const& kernel, std::string const& text) {
    return internal::opencl::image_of(internal::opencl::compiled(state().target, kernel, text));
  }
  static std::string compiler() {
    return model() + " " + text_of(internal::opencl::driver_version) + " " + state().target.options;
  }
  static Function load(std::string const& kernel, std::string const& binary) {
    return internal::opencl::kernel_of(internal::opencl::loaded(state().target, kernel, binary),
                                       kernel);
  }

  /// Launches a kernel after all earlier commands.
  static void launch(Function kernel,
                     std::vector<internal::codegen::LaunchArgument> const& arguments,
                     internal::codegen::Work work) {
    if (recorded()) return recorded()->launch(kernel, arguments, work);
    State& own = state();
    std::lock_guard const lock(own.mutex);
    std::uint32_t place = 0;
    for (internal::codegen::LaunchArgument const& argument : arguments) {
      internal::opencl::check(argument.bytes == 0 ? api().set_memory(kernel, place, argument.memory)
                                                  : api().set_number(kernel, place, argument.bytes,
                                                                     argument.number.data()),
                              "an argument of a kernel");
      ++place;
    }
    auto const [groups, members] = launch_size(work);
    std::size_t const global = groups * members;
    internal::opencl::check(
        api().enqueue(own.queue, kernel, 1, nullptr, &global, &members, 0, nullptr, nullptr),
        "starting a kernel");
  }

  /// Whether it is a CPU, on which plain loops over contiguous memory are vectorised.
  static bool loops_along_axis() { return state().chunks > 0; }

  /// Waits for all commands.
  static void synchronise() {
    internal::opencl::check(api().finish(state().queue), "waiting for kernels");
  }

 private:
  /// A string attribute of the device.
  static std::string text_of(std::uint32_t what) {
    std::array<char, 256> text{};
    internal::opencl::check(
        api().device_info(state().target.device, what, text.size() - 1, text.data(), nullptr),
        "asking for what the device is");
    return text.data();
  }

  static constexpr std::size_t most_groups = 65536;

  struct State {
    internal::opencl::Target target;
    internal::opencl::Queue queue;
    std::size_t group;   ///< Work-group size.
    std::size_t chunks;  ///< On a CPU the number of chunks that keeps all cores busy; else 0.
    std::mutex mutex{};
  };

  /// The number of work groups and their size.
  static std::array<std::size_t, 2> launch_size(internal::codegen::Work work) {
    if (work.groups > 0)
      return {static_cast<std::size_t>(work.groups), static_cast<std::size_t>(work.members)};
    auto const rows = static_cast<std::size_t>(work.rows);
    if (state().chunks > 0) return {std::clamp<std::size_t>(rows, 1, state().chunks), 1};
    std::size_t const group = state().group, groups = (rows + group - 1) / group;
    return {std::clamp<std::size_t>(groups, 1, most_groups), group};
  }

  static internal::opencl::Api const& api() { return internal::opencl::Api::instance(); }

  /// Created on first use, and never destroyed: a tensor in static storage may deallocate at any
  /// time.
  static State& state() {
    static State& one = *made();
    return one;
  }
  static State* made() {
    internal::opencl::DeviceId const device = api().is_there() ? first() : nullptr;
    if (device == nullptr)
      internal::fail<DeviceError>({.who = "opencl",
                                   .expected = "a device with shared virtual memory",
                                   .got = api().is_there() ? "none" : "no library libOpenCL.so.1"});
    internal::opencl::Code code = 0;
    internal::opencl::Context const context =
        api().create_context(nullptr, 1, &device, nullptr, nullptr, &code);
    internal::opencl::check(code, "making a context");
    internal::opencl::Queue const queue = api().create_queue(context, device, nullptr, &code);
    internal::opencl::check(code, "making a queue");
    auto const most = info<std::size_t>(device, internal::opencl::device_max_group);
    return new State{{device, context, options_for(device)},
                     queue,
                     std::clamp<std::size_t>(most, 1, 64),
                     chunks_for(device)};
  }

  /// Several chunks per core balance the load.
  static std::size_t chunks_for(internal::opencl::DeviceId device) {
    if ((info<internal::opencl::Flags>(device, internal::opencl::device_type) &
         internal::opencl::processor) == 0)
      return 0;
    return 4 *
           std::max<std::size_t>(1, info<std::uint32_t>(device, internal::opencl::device_units));
  }

  /// Division is correctly rounded, if the device supports it.
  static std::string options_for(internal::opencl::DeviceId device) {
    bool const rounds =
        (info<internal::opencl::Flags>(device, internal::opencl::device_float_config) &
         internal::opencl::correctly_rounded_divide) != 0;
    return std::string(rounds ? "-cl-fp32-correctly-rounded-divide-sqrt " : "") +
           (chunks_for(device) > 0 ? "-DROWS_IN_CHUNKS" : "");
  }

  /// A numeric attribute of a device; 0 if it is not supported.
  template <class T>
  static T info(internal::opencl::DeviceId device, std::uint32_t what) {
    T number = 0;
    return api().device_info(device, what, sizeof number, &number, nullptr) == 0 ? number : T(0);
  }

  static internal::opencl::DeviceId first() {
    static internal::opencl::DeviceId const device = find_first();
    return device;
  }
  static internal::opencl::DeviceId find_first() {
    std::uint32_t count = 0;
    std::array<internal::opencl::Platform, 16> platforms{};
    if (api().platforms(16, platforms.data(), &count) != 0) return nullptr;
    for (std::uint32_t i = 0; i < (std::min)(count, 16u); ++i) {
      std::uint32_t found = 0;
      std::array<internal::opencl::DeviceId, 16> devices{};
      if (api().devices(platforms[i], internal::opencl::every_device, 16, devices.data(), &found) !=
          0)
        continue;
      for (std::uint32_t k = 0; k < (std::min)(found, 16u); ++k)
        if (has_shared_memory(devices[k])) return devices[k];
    }
    return nullptr;
  }
  static bool has_shared_memory(internal::opencl::DeviceId device) {
    auto const kinds =
        info<internal::opencl::Flags>(device, internal::opencl::device_shared_memory);
    return (kinds & internal::opencl::coarse_shared_memory) != 0;
  }

  static void copy(std::uint32_t waits, void* to, void const* from, std::size_t bytes) {
    if (bytes == 0) return;
    internal::opencl::check(api().copy(state().queue, waits, to, from, bytes, 0, nullptr, nullptr),
                            "copying memory");
  }
};

}  // namespace tenon

namespace tenon::internal {

static_assert(RecordingDevice<OpenCl>);

}  // namespace tenon::internal
