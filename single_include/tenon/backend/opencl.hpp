// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/tenon.hpp>

// ---- tenon/backend/opencl/api.hpp

#ifndef TENON_BACKEND_OPENCL_API_HPP
#define TENON_BACKEND_OPENCL_API_HPP

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <string>

/// The functions of OpenCL that are used here, found when they are first asked for: a program that
/// was built with them starts on a machine without OpenCL. The names, the order of the arguments
/// and the numbers are those of the OpenCL 3.0 API Specification (Khronos, 2020).
namespace tenon::opencl {

struct PlatformObject;
struct DeviceObject;
struct ContextObject;
struct QueueObject;
struct ProgramObject;
struct KernelObject;

using Platform = PlatformObject*;
using DeviceId = DeviceObject*;
using Context = ContextObject*;
using Queue = QueueObject*;
using Program = ProgramObject*;
using Kernel = KernelObject*;
using Code = std::int32_t;
using Flags = std::uint64_t;

enum : std::uint32_t {
  device_type = 0x1000,
  device_units = 0x1002,
  device_name = 0x102B,
  driver_version = 0x102D,
  device_max_group = 0x1004,
  device_float_config = 0x101B,
  device_shared_memory = 0x1053,
  program_log = 0x1183,
  program_binary_sizes = 0x1165,
  program_binaries = 0x1166,
};
inline constexpr Flags every_device = 0xFFFFFFFF, processor = 2, read_and_write = 1,
                       coarse_shared_memory = 1, correctly_rounded_divide = 128;
inline constexpr std::uint32_t wait = 1;

/// The words for an error code.
inline std::string words(Code code) {
  switch (code) {
    case -1:
      return "no device found";
    case -3:
      return "no compiler available";
    case -4:
      return "memory object allocation failure";
    case -5:
      return "out of resources";
    case -6:
      return "out of host memory";
    case -11:
      return "the program does not build";
    case -54:
      return "invalid work group size";
    default:
      return "error " + std::to_string(code);
  }
}

/// A function of the library.
template <class... A>
using Function = Code (*)(A...);

/// The library, opened once; without it every function is null.
class Api {
  void* library_ = open();

 public:
  static Api const& instance() {
    static Api const api;
    return api;
  }

  Function<std::uint32_t, Platform*, std::uint32_t*> platforms = find("clGetPlatformIDs");
  Function<Platform, Flags, std::uint32_t, DeviceId*, std::uint32_t*> devices =
      find("clGetDeviceIDs");
  Function<DeviceId, std::uint32_t, std::size_t, void*, std::size_t*> device_info =
      find("clGetDeviceInfo");
  Context (*create_context)(void const*, std::uint32_t, DeviceId const*, void*, void*,
                            Code*) = find("clCreateContext");
  Queue (*create_queue)(Context, DeviceId, void const*,
                        Code*) = find("clCreateCommandQueueWithProperties");
  void* (*shared_memory)(Context, Flags, std::size_t, std::uint32_t) = find("clSVMAlloc");
  void (*free_shared_memory)(Context, void*) = find("clSVMFree");
  Function<Queue, std::uint32_t, void*, void const*, std::size_t, std::uint32_t, void const*, void*>
      copy = find("clEnqueueSVMMemcpy");
  Function<Queue, void*, void const*, std::size_t, std::size_t, std::uint32_t, void const*, void*>
      fill = find("clEnqueueSVMMemFill");
  Program (*create_program)(Context, std::uint32_t, char const**, std::size_t const*,
                            Code*) = find("clCreateProgramWithSource");
  Program (*create_program_of_binary)(Context, std::uint32_t, DeviceId const*, std::size_t const*,
                                      unsigned char const**, Code*,
                                      Code*) = find("clCreateProgramWithBinary");
  Function<Program, std::uint32_t, std::size_t, void*, std::size_t*> program_info =
      find("clGetProgramInfo");
  Function<Program, std::uint32_t, DeviceId const*, char const*, void*, void*> build =
      find("clBuildProgram");
  Function<Program, DeviceId, std::uint32_t, std::size_t, void*, std::size_t*> build_info =
      find("clGetProgramBuildInfo");
  Kernel (*create_kernel)(Program, char const*, Code*) = find("clCreateKernel");
  Function<Kernel, std::uint32_t, std::size_t, void const*> set_number = find("clSetKernelArg");
  Function<Kernel, std::uint32_t, void const*> set_memory = find("clSetKernelArgSVMPointer");
  Function<Queue, Kernel, std::uint32_t, std::size_t const*, std::size_t const*, std::size_t const*,
           std::uint32_t, void const*, void*>
      enqueue = find("clEnqueueNDRangeKernel");
  Function<Queue> finish = find("clFinish");

  bool is_there() const { return finish != nullptr && shared_memory != nullptr; }

 private:
  static void* open() { return dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL); }

  /// An address that becomes whatever function it is given to.
  struct Address {
    void* symbol;

    template <class F>
    operator F() const {
      return reinterpret_cast<F>(symbol);
    }
  };
  Address find(char const* name) const {
    return {library_ == nullptr ? nullptr : dlsym(library_, name)};
  }
};

/// Throws `DeviceError` where a call has failed: `what` was to be done.
inline void check(Code code, std::string_view what) {
  if (code == 0) return;
  std::string const got = words(code);
  fail<DeviceError>({.who = "opencl", .what = what, .expected = "success", .got = got});
}

}  // namespace tenon::opencl
#endif

// ---- tenon/backend/opencl/compiler.hpp

#ifndef TENON_BACKEND_OPENCL_COMPILER_HPP
#define TENON_BACKEND_OPENCL_COMPILER_HPP

#include <string_view>

/// The driver's compiler.
namespace tenon::opencl {

/// What it compiles for, and how.
struct Target {
  DeviceId device;
  Context context;
  std::string options;
};

inline std::string log_of(Target const& target, Program program) {
  Api const& api = Api::instance();
  std::size_t length = 0;
  api.build_info(program, target.device, program_log, 0, nullptr, &length);
  std::string log(length, ' ');
  api.build_info(program, target.device, program_log, length, log.data(), nullptr);
  return log;
}

/// A program that is built. Throws `DeviceError` with the compiler's words; `text` is what it was
/// made of.
inline Program built(Target const& target, Program program, std::string_view name,
                     std::string_view text) {
  Api const& api = Api::instance();
  if (api.build(program, 1, &target.device, target.options.c_str(), nullptr, nullptr) == 0)
    return program;
  fail<DeviceError>({.who = "opencl",
                     .what = name,
                     .expected = "a kernel that compiles",
                     .got = log_of(target, program),
                     .where = std::string(text)});
}

inline Program compiled(Target const& target, std::string const& name, std::string const& text) {
  char const* source = text.c_str();
  Code code = 0;
  Program const program =
      Api::instance().create_program(target.context, 1, &source, nullptr, &code);
  check(code, name);
  return built(target, program, name, text);
}

inline Kernel kernel_of(Program program, std::string const& name) {
  Code code = 0;
  Kernel const kernel = Api::instance().create_kernel(program, name.c_str(), &code);
  check(code, name);
  return kernel;
}

/// The bytes of a program, from which another process makes it without compiling.
inline std::string image_of(Program program) {
  Api const& api = Api::instance();
  std::size_t size = 0;
  check(api.program_info(program, program_binary_sizes, sizeof size, &size, nullptr),
        "asking for a compiled kernel");
  std::string image(size, '\0');
  char* bytes = image.data();
  check(api.program_info(program, program_binaries, sizeof bytes, &bytes, nullptr),
        "asking for a compiled kernel");
  return image;
}

inline Program loaded(Target const& target, std::string const& name, std::string const& image) {
  auto const* bytes = reinterpret_cast<unsigned char const*>(image.data());
  std::size_t const size = image.size();
  Code each = 0, code = 0;
  Program const program = Api::instance().create_program_of_binary(
      target.context, 1, &target.device, &size, &bytes, &each, &code);
  check(code, name);
  return built(target, program, name, {});
}

}  // namespace tenon::opencl
#endif

// ---- tenon/backend/source/launch.hpp

#ifndef TENON_BACKEND_SOURCE_LAUNCH_HPP
#define TENON_BACKEND_SOURCE_LAUNCH_HPP

#include <array>
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
#endif

// ---- tenon/backend/source/commands.hpp

#ifndef TENON_BACKEND_SOURCE_COMMANDS_HPP
#define TENON_BACKEND_SOURCE_COMMANDS_HPP

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tenon::source {

/// Throws `DeviceError`: the values of what is recorded are not known yet.
[[noreturn, gnu::cold]] inline void refuse_reading(std::string_view device) {
  fail<DeviceError>({.who = "capture",
                     .what = device,
                     .expected = "a function that reads no value on the host",
                     .got = "an element, a copy or a test of one"});
}

/// What a device was asked for, in order, to be asked for again: for a device that has no such
/// lists of its own.
template <class D>
class Commands {
 public:
  void launch(typename D::Function function, std::vector<LaunchArgument> arguments, Work work) {
    all_.push_back([=, arguments = std::move(arguments)] { D::launch(function, arguments, work); });
  }
  void copy_in(void* to, void const* from, std::size_t bytes) {
    auto const* const begin = static_cast<std::byte const*>(from);
    all_.push_back([=, kept = std::vector<std::byte>(begin, begin + bytes)] {
      D::copy_in(to, kept.data(), bytes);
    });
  }
  void copy_within(void* to, void const* from, std::size_t bytes) {
    all_.push_back([=] { D::copy_within(to, from, bytes); });
  }
  void clear(void* to, std::size_t bytes) {
    all_.push_back([=] { D::clear(to, bytes); });
  }
  void replay() const {
    for (auto const& command : all_) command();
  }

 private:
  std::vector<std::function<void()>> all_;
};

/// The list that this thread notes its commands in; none: they are done at once.
template <class D>
inline thread_local std::unique_ptr<Commands<D>> recorded_commands{};

}  // namespace tenon::source
#endif

// ---- tenon/backend/opencl/device.hpp

#ifndef TENON_BACKEND_OPENCL_DEVICE_HPP
#define TENON_BACKEND_OPENCL_DEVICE_HPP

#include <algorithm>
#include <mutex>

namespace tenon {

/// The first device that OpenCL offers with shared virtual memory (version 2.0 of 2013): `data` of
/// its tensors is an address there. Kernels and copies run one after the other, in the order in
/// which they are asked for, whichever thread asks. `Float32<"n m", OpenCl>`; not in PyTorch.
struct OpenCl {
  static constexpr std::string_view name = "opencl";
  static constexpr bool is_host = false;

  /// Is there such a device, and the library to reach it?
  static bool is_available() { return opencl::Api::instance().is_there() && first() != nullptr; }

  /// What the driver calls it. Throws `DeviceError` where there is none.
  static std::string model() { return text_of(opencl::device_name); }

  static void* ask_memory(std::size_t bytes) {
    return api().shared_memory(state().target.context, opencl::read_and_write, bytes, 0);
  }
  static void give_memory_back(void* memory) {
    api().finish(state().queue);
    api().free_shared_memory(state().target.context, memory);
  }
  static void copy_in(void* to, void const* from, std::size_t bytes) {
    if (recorded()) recorded()->copy_in(to, from, bytes);
    else copy(opencl::wait, to, from, bytes);
  }
  static void copy_out(void* to, void const* from, std::size_t bytes) {
    if (recorded()) source::refuse_reading(name);
    copy(opencl::wait, to, from, bytes);
  }
  static void copy_within(void* to, void const* from, std::size_t bytes) {
    if (recorded()) recorded()->copy_within(to, from, bytes);
    else copy(0, to, from, bytes);
  }

  static void clear(void* to, std::size_t bytes) {
    unsigned char const zero = 0;
    if (bytes == 0) return;
    if (recorded()) return recorded()->clear(to, bytes);
    opencl::check(api().fill(state().queue, to, &zero, 1, bytes, 0, nullptr, nullptr),
                  "clearing memory");
  }

  /// What was asked for, to be done again.
  using Recording = source::Commands<OpenCl>;

  static void begin_recording() { recorded() = std::make_unique<Recording>(); }
  static Recording end_recording() { return std::move(*std::exchange(recorded(), nullptr)); }
  static void drop_recording() noexcept { recorded().reset(); }
  static void replay(Recording const& recording) { recording.replay(); }

  /// A compiled kernel.
  using Function = opencl::Kernel;

  static Function compile(std::string const& name, std::string const& text) {
    return opencl::kernel_of(opencl::compiled(state().target, name, text), name);
  }

  // The same in two steps, with what the first depends on beside the text.
  static std::string image(std::string const& name, std::string const& text) {
    return opencl::image_of(opencl::compiled(state().target, name, text));
  }
  static std::string compiler() {
    return model() + " " + text_of(opencl::driver_version) + " " + state().target.options;
  }
  static Function load(std::string const& name, std::string const& image) {
    return opencl::kernel_of(opencl::loaded(state().target, name, image), name);
  }

  /// Runs a kernel after all that was asked for before.
  static void launch(Function kernel, std::vector<source::LaunchArgument> const& arguments,
                     source::Work work) {
    if (recorded()) return recorded()->launch(kernel, arguments, work);
    State& own = state();
    std::lock_guard const lock(own.mutex);
    std::uint32_t place = 0;
    for (source::LaunchArgument const& argument : arguments) {
      opencl::check(argument.bytes == 0
                        ? api().set_memory(kernel, place, argument.memory)
                        : api().set_number(kernel, place, argument.bytes, argument.number.data()),
                    "an argument of a kernel");
      ++place;
    }
    auto const [groups, members] = dealt(work);
    std::size_t const global = groups * members;
    opencl::check(
        api().enqueue(own.queue, kernel, 1, nullptr, &global, &members, 0, nullptr, nullptr),
        "starting a kernel");
  }

  /// Is it a processor, where plain loops over lines of memory become vectors?
  static bool walks_lines() { return state().chunks > 0; }

  /// Waits for all that was asked for.
  static void synchronise() { opencl::check(api().finish(state().queue), "waiting for kernels"); }

 private:
  /// What the driver says of the device in words.
  static std::string text_of(std::uint32_t what) {
    std::array<char, 256> text{};
    opencl::check(
        api().device_info(state().target.device, what, text.size() - 1, text.data(), nullptr),
        "asking for what the device is");
    return text.data();
  }

  static constexpr std::size_t most_groups = 65536;

  struct State {
    opencl::Target target;
    opencl::Queue queue;
    std::size_t group;   ///< Work items that start together.
    std::size_t chunks;  ///< Of a processor: so many chunks keep all cores busy; else 0.
    std::mutex mutex{};
  };

  /// How many groups of how many work items.
  static std::array<std::size_t, 2> dealt(source::Work work) {
    if (work.groups > 0)
      return {static_cast<std::size_t>(work.groups), static_cast<std::size_t>(work.members)};
    auto const rows = static_cast<std::size_t>(work.rows);
    if (state().chunks > 0) return {std::clamp<std::size_t>(rows, 1, state().chunks), 1};
    std::size_t const group = state().group, groups = (rows + group - 1) / group;
    return {std::clamp<std::size_t>(groups, 1, most_groups), group};
  }

  static std::unique_ptr<Recording>& recorded() { return source::recorded_commands<OpenCl>; }

  static opencl::Api const& api() { return opencl::Api::instance(); }

  /// Made when first asked for, and never destroyed: a tensor in static storage may give its memory
  /// back at any time.
  static State& state() {
    static State& one = *made();
    return one;
  }
  static State* made() {
    opencl::DeviceId const device = api().is_there() ? first() : nullptr;
    if (device == nullptr)
      fail<DeviceError>({.who = "opencl",
                         .expected = "a device with shared virtual memory",
                         .got = api().is_there() ? "none" : "no library libOpenCL.so.1"});
    opencl::Code code = 0;
    opencl::Context const context =
        api().create_context(nullptr, 1, &device, nullptr, nullptr, &code);
    opencl::check(code, "making a context");
    opencl::Queue const queue = api().create_queue(context, device, nullptr, &code);
    opencl::check(code, "making a queue");
    auto const most = info<std::size_t>(device, opencl::device_max_group);
    return new State{{device, context, options_for(device)},
                     queue,
                     std::clamp<std::size_t>(most, 1, 64),
                     chunks_for(device)};
  }

  /// Some chunks for each core even out what else the cores do.
  static std::size_t chunks_for(opencl::DeviceId device) {
    if ((info<opencl::Flags>(device, opencl::device_type) & opencl::processor) == 0) return 0;
    return 4 * std::max<std::size_t>(1, info<std::uint32_t>(device, opencl::device_units));
  }

  /// Division rounds as elsewhere, where the device can.
  static std::string options_for(opencl::DeviceId device) {
    bool const rounds = (info<opencl::Flags>(device, opencl::device_float_config) &
                         opencl::correctly_rounded_divide) != 0;
    return std::string(rounds ? "-cl-fp32-correctly-rounded-divide-sqrt " : "") +
           (chunks_for(device) > 0 ? "-DROWS_IN_CHUNKS" : "");
  }

  /// A number that the driver tells of a device; 0 where it does not.
  template <class T>
  static T info(opencl::DeviceId device, std::uint32_t what) {
    T number = 0;
    return api().device_info(device, what, sizeof number, &number, nullptr) == 0 ? number : T(0);
  }

  static opencl::DeviceId first() {
    static opencl::DeviceId const device = find_first();
    return device;
  }
  static opencl::DeviceId find_first() {
    std::uint32_t count = 0;
    std::array<opencl::Platform, 16> platforms{};
    if (api().platforms(16, platforms.data(), &count) != 0) return nullptr;
    for (std::uint32_t i = 0; i < std::min(count, 16u); ++i) {
      std::uint32_t found = 0;
      std::array<opencl::DeviceId, 16> devices{};
      if (api().devices(platforms[i], opencl::every_device, 16, devices.data(), &found) != 0)
        continue;
      for (std::uint32_t k = 0; k < std::min(found, 16u); ++k)
        if (has_shared_memory(devices[k])) return devices[k];
    }
    return nullptr;
  }
  static bool has_shared_memory(opencl::DeviceId device) {
    auto const kinds = info<opencl::Flags>(device, opencl::device_shared_memory);
    return (kinds & opencl::coarse_shared_memory) != 0;
  }

  static void copy(std::uint32_t waits, void* to, void const* from, std::size_t bytes) {
    if (bytes == 0) return;
    opencl::check(api().copy(state().queue, waits, to, from, bytes, 0, nullptr, nullptr),
                  "copying memory");
  }
};

static_assert(RecordingDevice<OpenCl>);

}  // namespace tenon
#endif

// ---- tenon/backend/source/literal.hpp

#ifndef TENON_BACKEND_SOURCE_LITERAL_HPP
#define TENON_BACKEND_SOURCE_LITERAL_HPP

#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>

/// How types and numbers are written in the text of kernels.
namespace tenon::source {

/// Position in the names of types: by the logarithm of the size.
template <class T>
inline constexpr std::size_t width_of = std::bit_width(sizeof(T)) - 1;

template <class T>
inline constexpr std::string_view type_text = [] {
  using Texts = std::array<std::string_view, 4>;
  if constexpr (std::same_as<T, bool>) return std::string_view("mask");
  else if constexpr (std::floating_point<T>) return sizeof(T) == 4 ? "f32" : "f64";
  else if constexpr (std::signed_integral<T>) return Texts{"i8", "i16", "i32", "i64"}[width_of<T>];
  else return Texts{"u8", "u16", "u32", "u64"}[width_of<T>];
}();

/// The digits that give the same number again.
template <class T, class... Base>
std::string digits_of(T number, Base... base) {
  std::array<char, 64> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, base...).ptr;
  return {buffer.data(), end};
}

template <std::floating_point T>
std::string literal(T number) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (!std::isfinite(number)) {
    std::string const bits = digits_of(std::bit_cast<Bits>(number), 16);
    return std::string("from_bits_").append(type_text<T>) + "(0x" + bits + "u)";
  }
  std::string text = digits_of(number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (sizeof(T) == 4) text += "f";
  return std::signbit(number) ? "(" + text + ")" : text;
}

/// The bits of a 16-bit number, which kernels keep as integers.
template <HalfType T>
std::string literal(T number) {
  return std::string("(u16)") + digits_of(number.bits) + "u";
}

/// Numbers of one type are the same where these are.
template <class T>
std::uint64_t bits_of_number(T number) {
  if constexpr (std::floating_point<T>) return std::bit_cast<std::uint64_t>(double{number});
  else if constexpr (HalfType<T>) return number.bits;
  else return static_cast<std::uint64_t>(number);
}

template <std::integral T>
std::string literal(T number) {
  if constexpr (std::same_as<T, bool>) {
    return number ? "1" : "0";
  } else {
    std::string text = digits_of(static_cast<std::make_unsigned_t<T>>(number)) + "u";
    bool const is_plain = sizeof(T) < 8 && std::signed_integral<T> && number >= 0;
    if (is_plain) text.pop_back();
    return is_plain || std::same_as<T, std::uint32_t>
               ? text
               : std::string("(").append(type_text<T>).append(")") + text;
  }
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/quantities.hpp

#ifndef TENON_BACKEND_SOURCE_QUANTITIES_HPP
#define TENON_BACKEND_SOURCE_QUANTITIES_HPP

#include <cctype>
#include <map>
#include <set>

namespace tenon::source {

/// A number in a kernel's text: written down, or an argument that only run time knows.
struct Quantity {
  std::int64_t number = 1;
  int variable = -1;  ///< Among the arguments; -1: the number is written down.

  bool is_one() const { return variable < 0 && number == 1; }
};

/// One for each axis; those past the rank are 1.
using Quantities = std::array<Quantity, max_rank>;

/// The run-time numbers of a kernel. Two of them may turn out to be the same; what the text speaks
/// of is an argument.
class Variables {
 public:
  struct Argument {
    std::string name;
    std::int64_t value;
  };

  Quantity fresh(std::string const& wish, std::int64_t value) {
    entries_.push_back({static_cast<int>(entries_.size()), value, wish, {}});
    return {value, static_cast<int>(entries_.size()) - 1};
  }

  /// A place in memory from which a part of it begins; equal ones are one.
  Quantity start(std::int64_t value) {
    auto const [known, is_new] = starts_.try_emplace(value);
    if (is_new) known->second = fresh("start", value);
    return known->second;
  }

  void same(Quantity const& a, Quantity const& b) {
    if (a.variable < 0 || b.variable < 0) return;
    int const one = first(a.variable), other = first(b.variable);
    entry(one < other ? other : one).same_as = one < other ? one : other;
  }

  /// Is it the same number for sure?
  bool agree(Quantity const& a, Quantity const& b) {
    if (a.variable < 0 || b.variable < 0) return a.variable == b.variable && a.number == b.number;
    return first(a.variable) == first(b.variable);
  }

  std::string text(Quantity const& quantity) {
    if (quantity.variable < 0) return std::to_string(quantity.number);
    Entry& known = entry(first(quantity.variable));
    if (known.name.empty()) {
      known.name = unused(known.wish);
      arguments_.push_back({known.name, known.value});
    }
    return known.name;
  }

  std::vector<Argument> const& arguments() const { return arguments_; }

 private:
  struct Entry {
    int same_as;
    std::int64_t value;
    std::string wish;
    std::string name;
  };

  Entry& entry(int i) { return entries_[static_cast<std::size_t>(i)]; }
  int first(int i) {
    while (entry(i).same_as != i) i = entry(i).same_as;
    return i;
  }
  std::string unused(std::string const& wish) {
    std::string name = wish;
    for (int i = 2; !used_.insert(name).second; ++i) name = wish + "_" + std::to_string(i);
    return name;
  }

  std::vector<Entry> entries_;
  std::map<std::int64_t, Quantity> starts_;
  std::set<std::string> used_;
  std::vector<Argument> arguments_;
};

/// `n_batch`; of an axis without a name: `n`.
inline std::string size_name(Axis const& axis) {
  std::string const name(axis.name.view());
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return "n";
  }
  return name.empty() ? "n" : "n_" + name;
}

/// `a * b * c`, without ones.
inline std::string product_text(Variables& variables, Quantities const& sizes, int from, int to) {
  std::int64_t number = 1;
  std::string text;
  for (int i = from; i < to; ++i) {
    Quantity const& size = sizes[static_cast<std::size_t>(i)];
    if (size.variable < 0) number *= size.number;
    else text += (text.empty() ? "" : " * ") + variables.text(size);
  }
  if (text.empty() || number == 0) return std::to_string(number);
  return number == 1 ? text : text + " * " + std::to_string(number);
}

}  // namespace tenon::source
#endif

// ---- tenon/eval/plan/plan.hpp

#ifndef TENON_EVAL_PLAN_PLAN_HPP
#define TENON_EVAL_PLAN_PLAN_HPP

/// The kernels that evaluating a recipe would run, in order, without running any.
namespace tenon {

/// The value of an earlier kernel where a later one reads it.
template <class T, Spec S, class D>
struct Earlier : ExpressionNode<Earlier<T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  int number;  ///< Of the kernel.
  Sizes extents;

  constexpr Earlier(int kernel, Sizes const& sizes) : number(kernel), extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

template <class E>
inline constexpr bool is_earlier = false;
template <class T, Spec S, class D>
inline constexpr bool is_earlier<Earlier<T, S, D>> = true;

/// Stands for the product that a kernel computes itself, before its epilogue.
inline constexpr int own_product = -1;

template <class E>
constexpr auto earlier(E const& e, int number) {
  return Earlier<typename E::value_type, spec_of<E>, typename E::device>(number, e.sizes());
}

/// Settles recipes as evaluation does; where a kernel would run, tells `Visitor` of it, and puts an
/// `Earlier` in its place. A visitor has `kernel(recipe)`, `product(contract)` and
/// `epilogue(contract, recipe)`, where the recipe reads the product as `own_product`; each gives
/// the kernel's number.
template <class Visitor>
class Planned {
 public:
  explicit Planned(Visitor& visitor) : visitor_(&visitor) {}

  template <class E>
  auto operator()(E const& e) const {
    if constexpr (TensorType<E> || is_earlier<E>) return e;
    else return earlier(e, number_of(e));
  }

  template <class R, class E>
  static auto reshaped_to(E const& value, Sizes const& sizes) {
    return Earlier<typename R::value_type, R::spec, typename R::device>(value.number, sizes);
  }

 private:
  template <class E>
  int number_of(E const& e) const {
    if constexpr (is_contract<E>) {
      return visitor_->product(e);
    } else if constexpr (FusesEpilogue<E>) {
      auto const& product = host_of(e);
      auto const rest = settled(with_host(e, earlier(product, own_product)), *this);
      return visitor_->epilogue(product, rest);
    } else {
      auto const recipe = settled(e, *this);
      if constexpr (is_earlier<Unqualified<decltype(recipe)>>) return recipe.number;
      else return visitor_->kernel(recipe);
    }
  }

  Visitor* visitor_;
};

/// Tells `visitor` of every kernel that evaluating `e` would run, in order. A tensor needs none.
template <class Visitor, class E>
void plan(E const& e, Visitor& visitor) {
  (void)Planned<Visitor>(visitor)(e);
}

}  // namespace tenon
#endif

// ---- tenon/eval/plan/leaf.hpp

#ifndef TENON_EVAL_PLAN_LEAF_HPP
#define TENON_EVAL_PLAN_LEAF_HPP

namespace tenon {

/// What a kernel reads: a tensor, a view, or the result of an earlier kernel.
template <class E>
concept Leaf = TensorType<E> || is_view<E> || is_earlier<E>;

/// Does a leaf stand for the product that its kernel computes itself?
template <Leaf E>
bool is_own_product(E const& leaf) {
  if constexpr (is_earlier<E>) return leaf.number == own_product;
  else return false;
}

/// The memory behind a leaf.
struct LeafMemory {
  std::string_view dtype;
  std::string spec;
  Sizes extents = ones();
  void const* data = nullptr;
  int earlier = own_product;  ///< The kernel that computes it, where one does.
  bool is_view = false;
  std::size_t held_bytes = 0;         ///< Of a tensor that holds its elements itself.
  std::shared_ptr<void const> owner;  ///< Keeps the elements.

  /// Are both the same elements? What tensors hold themselves is compared; views never are.
  bool same(LeafMemory const& other) const {
    if (dtype != other.dtype || spec != other.spec || earlier != other.earlier) return false;
    if (extents != other.extents) return false;  // two tensors may share a buffer
    if (is_view || other.is_view) return false;
    return held_bytes == 0 ? data == other.data : std::memcmp(data, other.data, held_bytes) == 0;
  }
};

template <Leaf E>
LeafMemory memory_of_leaf(E const& leaf) {
  LeafMemory memory;
  memory.dtype = dtype_name<typename E::value_type>;
  memory.spec = std::string(spec_of<E>.view());
  memory.extents = leaf.sizes();
  memory.is_view = is_view<E>;
  if constexpr (is_earlier<E>) {
    memory.earlier = leaf.number;
  } else {
    auto const copy = std::make_shared<E const>(leaf);
    memory.data = copy->data();
    memory.owner = copy;
  }
  if constexpr (TensorType<E>) {
    if constexpr (E::holds_elements)
      memory.held_bytes = sizeof(typename E::value_type) * static_cast<std::size_t>(leaf.size());
  }
  return memory;
}

/// Equal types have equal marks.
template <class E>
inline char type_mark = 0;  // not a constant: those of equal value may be merged

}  // namespace tenon
#endif

// ---- tenon/backend/source/memory.hpp

#ifndef TENON_BACKEND_SOURCE_MEMORY_HPP
#define TENON_BACKEND_SOURCE_MEMORY_HPP

namespace tenon::source {

/// Memory as a kernel's argument.
struct Memory : LeafMemory {
  std::string name;
  std::string_view type;
  Quantities sizes{};
  Quantities strides{};  ///< Of a view; else row-major.
};

/// The memory behind the leaves of a kernel, each once.
class Memories {
 public:
  explicit Memories(Variables& variables) : variables_(&variables) {}

  std::vector<Memory> const& all() const { return memories_; }
  Memory const& operator[](std::size_t i) const { return memories_[i]; }

  /// The place of a leaf among the memories.
  template <class E>
  std::size_t find(E const& leaf) {
    std::size_t const known = memories_.size();
    std::size_t const place = find(memory_of_leaf(leaf));
    if (place < known) return place;
    memories_[place].type = type_text<typename E::value_type>;
    memories_[place].sizes = quantities(E::shape, leaf.sizes());
    if constexpr (is_view<E>) memories_[place].strides = strides(E::rank, leaf.strides());
    return place;
  }

  /// The sizes of a shape, new where only run time knows them.
  Quantities quantities(Shape const& shape, Sizes const& sizes) {
    Quantities result{};
    for (int i = 0; i < shape.rank; ++i) {
      auto const axis = static_cast<std::size_t>(i);
      if (shape[i].is_static()) result[axis] = {shape[i].size};
      else result[axis] = variables_->fresh(size_name(shape[i]), sizes[axis]);
    }
    return result;
  }

  /// Strides that only run time knows.
  Quantities strides(int rank, Sizes const& steps) {
    Quantities result{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
      result[i] = variables_->fresh("stride", steps[i]);
    return result;
  }

 private:
  std::size_t find(LeafMemory memory) {
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      if (memories_[i].same(memory)) return i;
    }
    memories_.push_back({std::move(memory), "x" + std::to_string(memories_.size()), {}, {}, {}});
    return memories_.size() - 1;
  }
  Variables* variables_;
  std::vector<Memory> memories_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/dialect.hpp

#ifndef TENON_BACKEND_SOURCE_DIALECT_HPP
#define TENON_BACKEND_SOURCE_DIALECT_HPP

/// What differs between the languages that kernels are printed in.
namespace tenon::source {

/// A language as texts. In patterns `$0`, `$1` … stand for what changes. Kernels speak of `f32 f64
/// i8 … u64 mask` and of words such as `fma_f32`: the prelude says what these are.
struct Dialect {
  std::string_view name;
  std::string_view prelude;
  std::string_view function;   ///< $0 the result's type, $1 the name, $2 the parameters.
  std::string_view parameter;  ///< Of a function: $0 the type, $1 the name.
  std::string_view table;      ///< $0 the name, $1 the number of entries, $2 the entries.
  std::string_view kernel;     ///< $0 the name, $1 the parameters.
  std::string_view result;     ///< Of a kernel: $0 the type, $1 the name, $2 its place.
  std::string_view operand;    ///< The same of memory that is read.
  std::string_view size;       ///< The same of a run-time number, which is an `i64`.
  std::string_view rows;       ///< How rows are dealt out: `row` is one of $0.
  bool has_double = true;

  // Of a kernel whose work items work together in groups of a fixed number; none: it has no such.
  std::string_view group_kernel =
      {};                         ///< $0 the name, $1 the parameters, $2 the members of a group.
  std::string_view group = {};    ///< The number of this group, an `i64`,
  std::string_view groups = {};   ///< how many there are,
  std::string_view member = {};   ///< and the number of this work item in its group, an `i64`.
  std::string_view shared = {};   ///< Memory of a group: $0 the type, $1 the name, $2 its elements.
  std::string_view barrier = {};  ///< All of a group have come here, and see what it has stored.
};

/// A pattern with what stands for `$0`, `$1` … put in.
inline std::string filled(std::string_view pattern, std::vector<std::string> const& with) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '$') text += with[static_cast<std::size_t>(pattern[++i] - '0')];
    else text += pattern[i];
  }
  return text;
}

inline std::string joined(std::vector<std::string> const& parts, std::string_view between) {
  std::string text;
  for (std::string const& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/functions.hpp

#ifndef TENON_BACKEND_SOURCE_FUNCTIONS_HPP
#define TENON_BACKEND_SOURCE_FUNCTIONS_HPP

namespace tenon::source {

/// The functions and tables that kernels call, each printed once.
class Functions {
 public:
  explicit Functions(Dialect const& dialect, bool are_for_device = false, bool is_processor = false)
      : are_for_device(are_for_device), is_processor(is_processor), dialect_(&dialect) {}

  /// Numbers are arguments of the kernels then, and not in their text; ids outside of their table
  /// are taken for the nearest inside, as nobody may look at them before a recording is replayed.
  bool are_for_device;
  bool is_processor;  ///< Are they for one, which is fast along plain loops?

  Dialect const& dialect() const { return *dialect_; }
  std::string const& text() const { return text_; }

  /// The name of a function; another of the same name has a number behind it.
  std::string function(std::string const& type, std::string const& name,
                       std::string const& parameters, std::string const& body) {
    return once(name, type + " " + parameters + " " + body, [&](std::string const& own) {
      return filled(dialect_->function, {type, own, parameters}) + " {\n" + body + "}\n\n";
    });
  }

  std::string table(std::string const& name, std::size_t count, std::string const& entries) {
    return once(name, entries, [&](std::string const& own) {
      return filled(dialect_->table, {own, std::to_string(count), entries}) + "\n\n";
    });
  }

 private:
  template <class Print>
  std::string once(std::string const& name, std::string const& meaning, Print const& print) {
    auto const [place, is_new] = names_.try_emplace(name + " " + meaning, name);
    if (!is_new) return place->second;
    if (int const others = used_[name]++; others > 0) place->second += std::to_string(others + 1);
    text_ += print(place->second);
    return place->second;
  }

  Dialect const* dialect_;
  std::string text_;
  std::map<std::string, std::string> names_;
  std::map<std::string, int> used_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/listing.hpp

#ifndef TENON_BACKEND_SOURCE_LISTING_HPP
#define TENON_BACKEND_SOURCE_LISTING_HPP

namespace tenon::source {

/// Single-assignment source in the making: names, and the blocks in which they are defined. A
/// statement stands in the innermost block that one of its operands needs, so what does not vary in
/// a loop is computed before it; the same statement once more is the same name.
class Listing {
 public:
  explicit Listing(Functions& functions) : functions_(&functions), blocks_(1) {}

  Functions& functions() { return *functions_; }
  std::string const& text(int name) const { return names_[index(name)].text; }
  int block_of(int name) const { return names_[index(name)].block; }
  bool is_open(int block) const { return blocks_[index(block)].is_open; }

  /// The innermost of the blocks of names; those below zero are none.
  int innermost(std::vector<int> const& names) const {
    int block = at_least_;
    for (int name : names) {
      if (name >= 0 && depth(block_of(name)) > depth(block)) block = block_of(name);
    }
    return block;
  }

  /// A name that is known from the start of a block on.
  int parameter(std::string text, int block = 0) { return named(std::move(text), block); }

  /// The name of a value: `type const v3 = meaning;`.
  int value(std::string_view type, std::string const& meaning, std::vector<int> const& operands) {
    std::string const key = std::string(type) + " " + meaning;
    auto const known = known_.find(key);
    if (known != known_.end() && is_open(block_of(known->second))) return known->second;
    int const block = innermost(operands);
    int const name = named("v" + std::to_string(count_++), block);
    define(name, std::string(type) + " const " + text(name) + " = " + meaning + ";");
    return known_[key] = name;
  }

  /// A name whose value changes.
  int variable(std::string_view type, std::string const& first, int block) {
    int const name = named("a" + std::to_string(count_++), block);
    define(name, std::string(type) + " " + text(name) + " = " + first + ";");
    return name;
  }

  /// A loop in a block; its own block and the name that counts.
  struct Loop {
    int block;
    int counter;
  };
  Loop loop(std::string const& size, int outer) {
    std::string const j = "j" + std::to_string(count_++);
    int const block = open("for (i64 " + j + " = 0; " + j + " < " + size + "; ++" + j + ")", outer);
    return {block, parameter(j, block)};
  }

  int open(std::string const& header, int outer) {
    blocks_.push_back({outer, depth(outer) + 1, true, header, {}});
    return static_cast<int>(blocks_.size()) - 1;
  }
  void close(int block) {
    Block& inner = blocks_[index(block)];
    inner.is_open = false;
    line(inner.outer, inner.header + " {");
    for (std::string const& text : inner.lines) line(inner.outer, "  " + text);
    line(inner.outer, "}");
  }

  /// What is said inside stands in the block, or deeper, wherever its operands are known.
  template <class F>
  auto within(int block, F const& say) {
    int const before = std::exchange(at_least_, block);
    auto result = say();
    at_least_ = before;
    return result;
  }

  void line(int block, std::string text) { blocks_[index(block)].lines.push_back(std::move(text)); }

  /// Says where a value comes from, unless that was said before.
  void comment(int name, std::string const& words) {
    Name const& value = names_[index(name)];
    if (value.line < 0 || !is_open(value.block)) return;
    std::string& statement = blocks_[index(value.block)].lines[index(value.line)];
    if (statement.find("//") == std::string::npos) statement += "  // " + words;
  }

  /// All statements, without those of which nothing further on, nor `result`, makes use.
  std::vector<std::string> lines(std::string const& result = {}) const {
    std::set<std::string> used;
    note_names(result, used);
    std::vector<std::string> kept;
    for (auto line = blocks_[0].lines.rbegin(); line != blocks_[0].lines.rend(); ++line) {
      auto const end = line->find(" = ");
      auto const begin = line->find(" const v");
      bool const defines = begin != std::string::npos && begin < end;
      if (defines && !used.contains(line->substr(begin + 7, end - begin - 7))) continue;
      note_names(*line, used);
      kept.push_back(*line);
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
  }

 private:
  struct Name {
    std::string text;
    int block;
    int line = -1;
  };
  struct Block {
    int outer = 0;
    int depth = 0;
    bool is_open = true;
    std::string header;
    std::vector<std::string> lines;
  };

  /// The names `v12` in a text. (What a line defines is among them, which does no harm.)
  static void note_names(std::string const& text, std::set<std::string>& names) {
    for (std::size_t i = text.find('v'); i < text.size(); i = text.find('v', i + 1)) {
      std::size_t const end = text.find_first_not_of("0123456789", i + 1);
      names.insert(text.substr(i, end - i));
    }
  }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int depth(int block) const { return blocks_[index(block)].depth; }
  void define(int name, std::string statement) {
    Name& own = names_[index(name)];
    line(own.block, std::move(statement));
    own.line = static_cast<int>(blocks_[index(own.block)].lines.size()) - 1;
  }
  int named(std::string text, int block) {
    names_.push_back({std::move(text), block});
    return static_cast<int>(names_.size()) - 1;
  }

  Functions* functions_;
  std::vector<Block> blocks_;
  std::vector<Name> names_;
  std::map<std::string, int> known_;
  int at_least_ = 0;
  int count_ = 0;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/place.hpp

#ifndef TENON_BACKEND_SOURCE_PLACE_HPP
#define TENON_BACKEND_SOURCE_PLACE_HPP

/// Where an element stands, in names: the text of indices.
namespace tenon::source {

/// A position along an axis: the sum of names, and of a number that only run time knows. A name
/// below zero stands for an axis of the kernel's rows.
struct Place {
  std::vector<int> terms;
  std::int64_t start = 0;
};
using Places = std::array<Place, max_rank>;

/// The axes that are walked row by row, all as one: their sizes, and the name of the row.
struct Rows {
  int rank = 0;
  int row = -1;
  Quantities sizes{};
  mutable bool are_taken_apart = false;  ///< Is an axis among several asked for by itself?

  static int term(int axis) { return -1 - axis; }
};

/// What the text of an index is made of.
struct Indexing {
  Listing& listing;
  Variables& variables;
  Rows const& rows;

  /// The name of a term; the axes of rows get theirs where they are first needed.
  int name(int term) const {
    if (term >= 0) return term;
    int const axis = Rows::term(term);
    if (rows.rank == 1) return rows.row;
    rows.are_taken_apart = true;
    std::string text = listing.text(rows.row);
    std::string const inner = product_text(variables, rows.sizes, axis + 1, rows.rank);
    bool const is_product = inner.find('*') != std::string::npos;
    if (inner != "1") text += " / " + (is_product ? "(" + inner + ")" : inner);
    if (axis > 0) text += " % " + variables.text(rows.sizes[static_cast<std::size_t>(axis)]);
    return listing.value("i64", text, {rows.row});
  }

  /// Do the first axes of memory lie as the rows do?
  bool follows_rows(Quantities const& sizes, int rank, Places const& at) const {
    if (rows.rank == 0 || rank < rows.rank) return false;
    for (int i = 0; i < rows.rank; ++i) {
      auto const axis = static_cast<std::size_t>(i);
      if (at[axis].terms != std::vector{Rows::term(i)} || at[axis].start != 0) return false;
      if (i > 0 && !variables.agree(sizes[axis], rows.sizes[axis])) return false;
    }
    return true;
  }
};

/// An index, as a text, and the names in it.
struct IndexText {
  std::string text;
  std::vector<int> names;

  void add(Listing const& listing, int name, std::string const& stride) {
    names.push_back(name);
    add(listing.text(name) + (stride == "1" ? "" : " * " + stride));
  }
  void add(std::string const& part) { text += (text.empty() ? "" : " + ") + part; }
};

/// Adds the terms of the axes from `first` on, axis i with the stride `stride(i)`.
template <class Stride>
IndexText index_text(Indexing const& in, int first, int rank, Places const& at, std::int64_t start,
                     Stride const& stride, IndexText index = {}) {
  for (int i = first; i < rank; ++i) {
    for (int term : at[static_cast<std::size_t>(i)].terms) {
      index.add(in.listing, in.name(term), stride(i));
    }
  }
  if (start != 0) index.add(in.variables.text(in.variables.start(start)));
  if (index.text.empty()) index.text = "0";
  return index;
}

/// Of row-major memory.
inline IndexText row_major_index(Indexing const& in, Quantities const& sizes, int rank,
                                 Places const& at) {
  auto const stride = [&](int axis) { return product_text(in.variables, sizes, axis + 1, rank); };
  std::int64_t start = 0, step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    start += at[static_cast<std::size_t>(i)].start * step;
    step *= sizes[static_cast<std::size_t>(i)].number;
  }
  if (!in.follows_rows(sizes, rank, at)) return index_text(in, 0, rank, at, start, stride);
  IndexText index;
  index.add(in.listing, in.rows.row, stride(in.rows.rank - 1));
  return index_text(in, in.rows.rank, rank, at, start, stride, index);
}

/// Of memory with strides, from an element on.
inline IndexText strided_index(Indexing const& in, Quantities const& strides, int rank,
                               Places const& at, std::int64_t start = 0) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
    start += at[i].start * strides[i].number;
  auto const stride = [&](int axis) {
    return in.variables.text(strides[static_cast<std::size_t>(axis)]);
  };
  return index_text(in, 0, rank, at, start, stride);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/leaf_adjoint.hpp

#ifndef TENON_BACKEND_SOURCE_LEAF_ADJOINT_HPP
#define TENON_BACKEND_SOURCE_LEAF_ADJOINT_HPP

#include <optional>

/// What backward kernels add to.
namespace tenon::source {

/// Is the adjoint of a leaf with such a mark asked for? (That of an earlier kernel's result is.)
using Wanted = std::function<bool(TapeMark)>;

/// The adjoint of a leaf: row-major, as many elements as the leaf has.
struct LeafAdjoint {
  Memory leaf;
  TapeMark mark{};
  std::string name{};
  std::int64_t elements = 0;
  std::int64_t element_bytes = 0;
  std::int64_t parts = 0;  ///< So many are added up in a kernel of their own; 0: there are none.

  /// Are both one? Leaves are told apart by their marks, and where they have none by their memory.
  bool is_of(LeafMemory const& memory, TapeMark other) const {
    if (mark != other) return false;
    if (mark.tape != 0 && leaf.earlier < 0 && memory.earlier < 0) return true;
    if (leaf.earlier >= 0 || memory.earlier >= 0) return leaf.earlier == memory.earlier;
    bool const shares = leaf.held_bytes == 0 && memory.held_bytes == 0;
    return shares ? leaf.data == memory.data : leaf.same(memory);
  }
};

/// How the elements that a row adds to follow the axes of the rows: for each axis numbers that
/// differ where the ways to follow it do, none where the elements do not tell one row from another.
using Following = std::array<std::vector<std::int64_t>, max_rank>;

/// How row-major elements follow the rows: an axis of a leaf that is one of the rows', and no more,
/// is another in every row.
inline Following following(std::vector<std::int64_t> const& memory, int rank, Places const& at) {
  Following result{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (at[i].terms.size() != 1 || at[i].terms[0] >= 0) continue;
    auto& numbers = result[static_cast<std::size_t>(Rows::term(at[i].terms[0]))];
    numbers = memory;
    numbers.insert(numbers.end(), {static_cast<std::int64_t>(i), at[i].start});
  }
  return result;
}

/// Does every place along axes with such steps have an element of its own?
inline bool are_apart(Sizes const& steps, Sizes const& sizes, int rank) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    if (sizes[i] > 1) axes.emplace_back(steps[i] < 0 ? -steps[i] : steps[i], sizes[i]);
  }
  std::ranges::sort(axes);
  std::int64_t reach = 0;
  for (auto const& [step, size] : axes) {
    if (step <= reach) return false;
    reach += step * (size - 1);
  }
  return true;
}

/// The adjoints that a kernel adds to, each once.
class LeafAdjoints {
 public:
  struct Entry {
    LeafAdjoint adjoint;
    std::optional<Following> rows{};  ///< What all that is added has in common.

    void follow(Following const& added) {
      if (!rows) rows = added;
      for (std::size_t i = 0; i < max_rank; ++i) {
        if ((*rows)[i] != added[i]) (*rows)[i].clear();
      }
    }
    /// Does a row add to elements that others along an axis do not add to?
    bool follows(std::size_t axis) const { return rows && !(*rows)[axis].empty(); }
  };

  Entry& find(LeafAdjoint const& adjoint) {
    for (Entry& entry : entries_) {
      if (entry.adjoint.is_of(adjoint.leaf, adjoint.mark)) return entry;
    }
    entries_.push_back({adjoint});
    entries_.back().adjoint.name = "g" + std::to_string(entries_.size() - 1);
    return entries_.back();
  }
  std::vector<Entry> const& all() const { return entries_; }
  std::size_t number(Entry const& entry) const {
    return static_cast<std::size_t>(&entry - entries_.data());
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/scalars.hpp

#ifndef TENON_BACKEND_SOURCE_SCALARS_HPP
#define TENON_BACKEND_SOURCE_SCALARS_HPP

namespace tenon::source {

/// The numbers of a recipe: in its kernel's text, or arguments of the kernel, so that the next step
/// of a schedule, which has another rate, needs no other kernel.
class Scalars {
 public:
  explicit Scalars(bool arguments) : are_arguments(arguments) {}

  bool are_arguments;

  struct Argument {
    std::string_view type;
    std::string name;
    std::size_t bytes;
    std::array<std::byte, 8> value;
  };

  std::vector<Argument> const& all() const { return arguments_; }

  /// The name of a number as an argument: equal ones of a dtype are one.
  template <class T>
  int name(Listing& listing, T number) {
    Argument argument{type_text<T>, "c" + std::to_string(names_.size()), sizeof(T), {}};
    std::memcpy(argument.value.data(), &number, sizeof(T));
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (arguments_[i].type == argument.type && arguments_[i].value == argument.value)
        return names_[i];
    }
    arguments_.push_back(argument);
    names_.push_back(listing.parameter(argument.name));
    return names_.back();
  }

 private:
  std::vector<Argument> arguments_;
  std::vector<int> names_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/symbol.hpp

#ifndef TENON_BACKEND_SOURCE_SYMBOL_HPP
#define TENON_BACKEND_SOURCE_SYMBOL_HPP

#include <stdexcept>

namespace tenon::source {

/// A number that writes itself down: what is computed with it becomes a statement of a listing.
/// Numbers that the compiler knows stay numbers until they meet a name.
template <class T>
struct Symbol {
  using value_type = T;

  Listing* listing = nullptr;
  int name = -1;
  T number{};

  Symbol() = default;
  Symbol(T value) : number(value) {}
  Symbol(Listing& where, int known) : listing(&where), name(known) {}

  bool is_number() const { return listing == nullptr; }
  std::string text() const { return is_number() ? literal(number) : listing->text(name); }
};

/// A symbol of any type as a part of a text. What handles texts knows no types, so that compilers
/// see it once.
struct Term {
  Listing* listing;
  int name;
  std::string text;
};
using Terms = std::vector<Term>;

template <class T>
[[gnu::noinline]] Term term_of(Symbol<T> const& x) {
  return {x.listing, x.name, x.text()};
}

inline Listing& listing_of(Terms const& terms) {
  for (Term const& term : terms) {
    if (term.listing != nullptr) return *term.listing;
  }
  throw std::logic_error("tenon::source: a statement without a name");
}
inline std::vector<int> names_of(Terms const& terms) {
  std::vector<int> names;
  for (Term const& term : terms) names.push_back(term.name);
  return names;
}
inline std::vector<std::string> texts_of(Terms const& terms) {
  std::vector<std::string> texts;
  for (Term const& term : terms) texts.push_back(term.text);
  return texts;
}

/// The name of what a pattern says.
inline int say(std::string_view type, std::string_view pattern, Terms const& terms) {
  return listing_of(terms).value(type, filled(pattern, texts_of(terms)), names_of(terms));
}

/// What a pattern says of symbols; of numbers alone, what `compute` makes of them.
template <class R, class F, class... T>
[[gnu::noinline]] Symbol<R> said(F const& compute, std::string_view pattern,
                                 Symbol<T> const&... x) {
  if ((x.is_number() && ...)) return Symbol<R>(static_cast<R>(compute(x.number...)));
  Terms const terms{term_of(x)...};
  return {listing_of(terms), say(type_text<R>, pattern, terms)};
}

/// A pattern in which integers are computed with as unsigned ones of 32 or 64 bits: they wrap.
template <class T>
std::string arithmetic(std::string_view operation) {
  std::string const sign(operation);
  if (!std::integral<T> || (std::unsigned_integral<T> && sizeof(T) >= 4))
    return "$0 " + sign + " $1";
  std::string const wide = sizeof(T) == 8 ? "(u64)" : "(u32)";
  return std::string("(").append(type_text<T>) + ")(" + wide + "$0 " + sign + " " + wide + "$1)";
}

template <class T>
Symbol<T> operator+(Symbol<T> a, Symbol<T> b) {
  return said<T>(word::add<T>, arithmetic<T>("+"), a, b);
}
template <class T>
Symbol<T> operator-(Symbol<T> a, Symbol<T> b) {
  return said<T>(word::subtract<T>, arithmetic<T>("-"), a, b);
}
template <class T>
Symbol<T> operator*(Symbol<T> a, Symbol<T> b) {
  return said<T>(word::multiply<T>, arithmetic<T>("*"), a, b);
}
template <class T>
Symbol<T> operator-(Symbol<T> a) {
  if constexpr (std::integral<T>) return Symbol<T>(T(0)) - a;
  else return said<T>([](T x) { return -x; }, "-$0", a);
}

template <class T>
Symbol<bool> operator==(Symbol<T> a, Symbol<T> b) {
  return said<bool>([](T x, T y) { return x == y; }, "$0 == $1", a, b);
}
template <class T>
Symbol<bool> operator!=(Symbol<T> a, Symbol<T> b) {
  return said<bool>([](T x, T y) { return x != y; }, "$0 != $1", a, b);
}
template <class T>
Symbol<bool> operator<(Symbol<T> a, Symbol<T> b) {
  return said<bool>([](T x, T y) { return x < y; }, "$0 < $1", a, b);
}
template <class T>
Symbol<bool> operator>(Symbol<T> a, Symbol<T> b) {
  return b < a;
}
template <class T>
Symbol<bool> operator<=(Symbol<T> a, Symbol<T> b) {
  return said<bool>([](T x, T y) { return x <= y; }, "$0 <= $1", a, b);
}
template <class T>
Symbol<bool> operator>=(Symbol<T> a, Symbol<T> b) {
  return b <= a;
}

template <std::integral T>
Symbol<T> operator&(Symbol<T> a, Symbol<T> b) {
  return said<T>([](T x, T y) { return x & y; }, "$0 & $1", a, b);
}
template <std::integral T>
Symbol<T> operator|(Symbol<T> a, Symbol<T> b) {
  return said<T>([](T x, T y) { return x | y; }, "$0 | $1", a, b);
}
template <std::integral T>
Symbol<T> operator^(Symbol<T> a, Symbol<T> b) {
  return said<T>([](T x, T y) { return x ^ y; }, "$0 ^ $1", a, b);
}
inline Symbol<bool> operator!(Symbol<bool> a) {
  return said<bool>([](bool x) { return !x; }, "!$0", a);
}

template <std::unsigned_integral T>
Symbol<T> operator<<(Symbol<T> a, Symbol<T> n) {
  return said<T>([](T x, T by) { return x << by; }, "$0 << $1", a, n);
}
template <std::unsigned_integral T>
Symbol<T> operator>>(Symbol<T> a, Symbol<T> n) {
  return said<T>([](T x, T by) { return x >> by; }, "$0 >> $1", a, n);
}
template <std::unsigned_integral T>
Symbol<T> operator<<(Symbol<T> a, int n) {
  return a << Symbol<T>(static_cast<T>(n));
}
template <std::unsigned_integral T>
Symbol<T> operator>>(Symbol<T> a, int n) {
  return a >> Symbol<T>(static_cast<T>(n));
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/called.hpp

#ifndef TENON_BACKEND_SOURCE_CALLED_HPP
#define TENON_BACKEND_SOURCE_CALLED_HPP

/// What is long is printed once, as a function, and called; what is rare stands behind an `if`.
namespace tenon::source {

/// A body of so many statements is written where it is needed.
inline constexpr std::size_t short_body = 3;

/// The letters of parameters.
inline std::string parameter_text(std::size_t place) { return {"xyzuvw"[place]}; }

/// `exp_f32`; of another type than its argument: `less_f32_mask`.
inline std::string function_name(std::string_view name, std::string_view result,
                                 std::string_view first) {
  std::string text = std::string(name).append("_").append(first);
  if (result != first) text.append("_").append(result);
  return text;
}

/// Prints a listing as a function, unless that is there already; its name.
inline std::string function_of(Listing& inside, std::string_view name, std::string_view type,
                               std::string const& result,
                               std::vector<std::string_view> const& types) {
  Functions& functions = inside.functions();
  std::vector<std::string> parameters;
  parameters.reserve(types.size());
  for (std::string_view of : types)
    parameters.push_back(filled(functions.dialect().parameter,
                                {std::string(of), parameter_text(parameters.size())}));
  std::string body;
  for (std::string const& line : inside.lines(result)) body += "  " + line + "\n";
  return functions.function(std::string(type), function_name(name, type, types[0]),
                            joined(parameters, ", "), body + "  return " + result + ";\n");
}

/// A listing with parameters alone; their names are 0, 1 …
inline Listing with_parameters(Functions& functions, std::size_t count) {
  Listing inside(functions);
  for (std::size_t i = 0; i < count; ++i) inside.parameter(parameter_text(i));
  return inside;
}

/// body(x...) as a call of a function that is printed once; if it is short, where it stands.
template <class R, class Body, class... T>
[[gnu::noinline]] Symbol<R> called(std::string_view name, Body const& body, Symbol<T> const&... x) {
  if ((x.is_number() && ...)) return body(x...);
  Terms const terms{term_of(x)...};
  Listing& listing = listing_of(terms);
  Listing inside = with_parameters(listing.functions(), sizeof...(T));
  Symbol<R> const value = [&]<int... k>(std::integer_sequence<int, k...>) {
    return body(Symbol<T>(inside, k)...);
  }(std::make_integer_sequence<int, sizeof...(T)>());
  std::string const result = term_of(value).text;
  if (inside.lines(result).size() <= short_body) return body(x...);
  std::string const function = function_of(inside, name, type_text<R>, result, {type_text<T>...});
  std::string const call = function + "(" + joined(texts_of(terms), ", ") + ")";
  return {listing, listing.value(type_text<R>, call, names_of(terms))};
}

/// The word of `op/words.hpp`.
template <class T, class F>
Symbol<T> rarely(Symbol<bool> mask, Symbol<T> x, F const& f, Symbol<T> usual) {
  if (mask.is_number()) return mask.number ? f(x) : usual;
  Listing& listing = *mask.listing;
  int const outer = listing.innermost({mask.name, x.name, usual.name});
  Symbol<T> const result(listing, listing.variable(type_text<T>, usual.text(), outer));
  int const block = listing.open("if (" + mask.text() + ")", outer);
  Symbol<T> const rare = listing.within(block, [&] { return f(x); });
  listing.line(block, result.text() + " = " + rare.text() + ";");
  listing.close(block);
  return result;
}

/// The word of `op/words.hpp`.
template <class Table>
Symbol<std::uint64_t> entry(Symbol<std::uint64_t> place) {
  if (place.is_number()) return word::entry<Table>(place.number);
  std::vector<std::string> entries;
  for (std::uint64_t number : Table::entries) entries.push_back(digits_of(number) + "u");
  Listing& listing = *place.listing;
  std::string const table =
      listing.functions().table(std::string(Table::name), entries.size(), joined(entries, ", "));
  return {listing, listing.value("u64", table + "[" + place.text() + "]", {place.name})};
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/symbol_integers.hpp

#ifndef TENON_BACKEND_SOURCE_SYMBOL_INTEGERS_HPP
#define TENON_BACKEND_SOURCE_SYMBOL_INTEGERS_HPP

/// Selection, casts, and the words of integers for symbols: nothing traps, as for scalars.
namespace tenon::source {

template <class T>
Symbol<T> select(Symbol<bool> mask, Symbol<T> yes, Symbol<T> no) {
  if (mask.is_number()) return mask.number ? yes : no;
  return said<T>([](bool m, T y, T n) { return m ? y : n; }, "$0 ? $1 : $2", mask, yes, no);
}

/// `(i32)$0`.
template <class T>
std::string cast_pattern(std::string_view value) {
  return std::string("(").append(type_text<T>).append(")").append(value);
}

/// As the language converts; the value fits.
template <class To, class From>
Symbol<To> cast(Symbol<From> x) {
  return said<To>([](From number) { return static_cast<To>(number); }, cast_pattern<To>("$0"), x);
}

/// A divisor that does not trap.
template <class T>
Symbol<T> harmless(Symbol<T> b) {
  Symbol<T> const one(T(1));
  Symbol<bool> traps = b == Symbol<T>(T(0));
  if constexpr (std::signed_integral<T>) traps = traps | (b == Symbol<T>(T(-1)));
  return select(traps, one, b);
}

/// By zero it is zero; the smallest by -1 is itself.
template <class T>
Symbol<T> quotient(Symbol<T> a, Symbol<T> b) {
  Symbol<T> const zero(T(0));
  Symbol<T> whole = said<T>(word::divide<T>, cast_pattern<T>("($0 / $1)"), a, harmless(b));
  if constexpr (std::signed_integral<T>) whole = select(b == Symbol<T>(T(-1)), -a, whole);
  return select(b == zero, zero, whole);
}
/// By zero and by -1 it is zero.
template <class T>
Symbol<T> rest(Symbol<T> a, Symbol<T> b) {
  Symbol<T> const divisor = harmless(b), zero(T(0));
  Symbol<T> const left = said<T>(word::modulo<T>, cast_pattern<T>("($0 % $1)"), a, divisor);
  return select(divisor == b, left, zero);
}
template <class T>
Symbol<T> operator/(Symbol<T> a, Symbol<T> b) {
  if constexpr (std::floating_point<T>) return said<T>(word::divide<T>, "$0 / $1", a, b);
  else
    return called<T>(
        "quotient", [](auto x, auto y) { return quotient(x, y); }, a, b);
}

template <std::integral T>
Symbol<T> operator%(Symbol<T> a, Symbol<T> b) {
  return called<T>(
      "rest", [](auto x, auto y) { return rest(x, y); }, a, b);
}

/// The number of bits.
template <class T>
inline constexpr std::size_t bit_count = 8 * sizeof(T);

/// Places within the number of bits; `is_shift` says whether they were.
template <class T>
Symbol<std::make_unsigned_t<T>> places_of(Symbol<T> b) {
  using U = std::make_unsigned_t<T>;
  return cast<U>(b) & Symbol<U>(static_cast<U>(bit_count<T> - 1));
}
template <class T>
Symbol<bool> is_shift(Symbol<T> b) {
  using U = std::make_unsigned_t<T>;
  return cast<U>(b) < Symbol<U>(static_cast<U>(bit_count<T>));
}

template <std::integral T>
Symbol<T> shift_left(Symbol<T> a, Symbol<T> b) {
  auto const body = [](Symbol<T> x, Symbol<T> n) {
    auto const compute = [](T y, auto by) { return word::shift_left(y, static_cast<T>(by)); };
    std::string const pattern = cast_pattern<T>("((u64)$0 << $1)");
    return select(is_shift(n), said<T>(compute, pattern, x, places_of(n)), Symbol<T>(T(0)));
  };
  return called<T>("shift_left", body, a, b);
}
template <std::integral T>
Symbol<T> shift_right(Symbol<T> a, Symbol<T> b) {
  auto const body = [](Symbol<T> x, Symbol<T> n) {
    auto const compute = [](T y, auto by) { return word::shift_right(y, static_cast<T>(by)); };
    Symbol<T> const moved = said<T>(compute, cast_pattern<T>("($0 >> $1)"), x, places_of(n));
    Symbol<T> const zero(T(0));
    if constexpr (!std::signed_integral<T>) return select(is_shift(n), moved, zero);
    else return select(is_shift(n), moved, select(x < zero, Symbol<T>(T(-1)), zero));
  };
  return called<T>("shift_right", body, a, b);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/symbol_words.hpp

#ifndef TENON_BACKEND_SOURCE_SYMBOL_WORDS_HPP
#define TENON_BACKEND_SOURCE_SYMBOL_WORDS_HPP

/// The machine words for symbols, found by argument-dependent lookup from the bodies of the ops.
/// They give the same values as those for scalars.
namespace tenon::source {

/// A word of the prelude: `fma_f32($0, $1, $2)`.
template <class T>
std::string word_of(std::string_view name, std::string_view arguments) {
  return std::string(name).append("_").append(type_text<T>).append(arguments);
}

template <std::floating_point T>
Symbol<T> fma(Symbol<T> x, Symbol<T> y, Symbol<T> z) {
  return said<T>(word::fma<T>, word_of<T>("fma", "($0, $1, $2)"), x, y, z);
}
template <std::floating_point T>
Symbol<T> sqrt(Symbol<T> x) {
  return said<T>(word::sqrt<T>, word_of<T>("sqrt", "($0)"), x);
}
template <std::floating_point T>
Symbol<T> floor(Symbol<T> x) {
  return said<T>(word::floor<T>, word_of<T>("floor", "($0)"), x);
}
template <std::floating_point T>
Symbol<T> round_even(Symbol<T> x) {
  return said<T>(word::round_even<T>, word_of<T>("round", "($0)"), x);
}
template <std::floating_point T>
Symbol<T> copysign(Symbol<T> magnitude, Symbol<T> sign) {
  return said<T>(word::copysign<T>, word_of<T>("copysign", "($0, $1)"), magnitude, sign);
}
template <std::floating_point T>
auto bits(Symbol<T> x) {
  using Bits = typename word::Layout<T>::Bits;
  return said<Bits>(word::bits<T>, word_of<T>("bits", "($0)"), x);
}
template <std::unsigned_integral U>
auto from_bits(Symbol<U> b) {
  using T = std::conditional_t<sizeof(U) == 4, float, double>;
  return said<T>([](U x) { return word::from_bits(x); }, word_of<T>("from_bits", "($0)"), b);
}
template <std::unsigned_integral U>
Symbol<U> multiply_high(Symbol<U> a, Symbol<U> b) {
  auto const compute = [](U x, U y) { return word::multiply_high(x, y); };
  return said<U>(compute, word_of<U>("multiply_high", "($0, $1)"), a, b);
}

/// Is there no double in the language that this is written in?
template <class T>
bool lacks_double(Symbol<T> x) {
  return !x.is_number() && !x.listing->functions().dialect().has_double;
}

template <class T>
Symbol<bool> is_nan(Symbol<T> x) {
  if constexpr (std::floating_point<T>) return x != x;
  else return Symbol<bool>(false);
}

template <class T>
Symbol<T> abs(Symbol<T> x) {
  if constexpr (std::floating_point<T>) return said<T>(word::abs<T>, word_of<T>("abs", "($0)"), x);
  else if constexpr (std::signed_integral<T>) return select(x < Symbol<T>(T(0)), -x, x);
  else return x;
}

template <class T>
Symbol<T> clamp(Symbol<T> x, Symbol<T> low, Symbol<T> high) {
  return select(x < low, low, select(high < x, high, x));
}

/// Both extremes: `bits` are combined where the two are equal, which are zeros of any sign.
template <bool larger, class T>
Symbol<T> extreme(Symbol<T> a, Symbol<T> b) {
  Symbol<T> const best = larger ? select(a < b, b, a) : select(b < a, b, a);
  if constexpr (!std::floating_point<T>) return best;
  else {
    auto const both = larger ? bits(a) & bits(b) : bits(a) | bits(b);
    return select(is_nan(a) | is_nan(b), a + b, select(a == b, from_bits(both), best));
  }
}
template <class T>
Symbol<T> maximum(Symbol<T> a, Symbol<T> b) {
  return called<T>(
      "maximum", [](auto x, auto y) { return extreme<true>(x, y); }, a, b);
}
template <class T>
Symbol<T> minimum(Symbol<T> a, Symbol<T> b) {
  return called<T>(
      "minimum", [](auto x, auto y) { return extreme<false>(x, y); }, a, b);
}

/// Towards zero; what does not fit becomes the largest or smallest, NaN becomes 0.
template <class To, class From>
Symbol<To> truncated(Symbol<From> x) {
  using S = Symbol<From>;
  using Limits = std::numeric_limits<To>;
  S const limit(word::power_of_two(From(Limits::digits)));
  Symbol<bool> const above = x >= limit;
  Symbol<bool> const below = x <= (std::signed_integral<To> ? -limit : S(From(0)));
  Symbol<To> const inside = cast<To>(select(above | below | is_nan(x), S(From(0)), x));
  return select(above, Symbol<To>(Limits::max()), select(below, Symbol<To>(Limits::min()), inside));
}

template <class To, class From>
Symbol<To> convert(Symbol<From> x) {
  if constexpr (std::same_as<To, From>) return x;
  else if constexpr (HalfType<From>) return convert<To>(widened(x));
  else if constexpr (HalfType<To>) return narrowed<To>(convert<float>(x));
  else if constexpr (std::same_as<To, bool>) return x != Symbol<From>(From(0));
  else if constexpr (std::integral<To> && std::floating_point<From>)
    return called<To>(
        "truncated", [](auto y) { return truncated<To>(y); }, x);
  else return cast<To>(x);
}

template <std::floating_point T>
Symbol<T> power_of_two(Symbol<T> n) {
  using L = word::Layout<T>;
  Symbol<T> const magic(T(1) / std::numeric_limits<T>::epsilon() + L::bias);
  return from_bits(bits(n + magic) << L::mantissa_bits);
}

template <std::floating_point T>
Symbol<T> scale(Symbol<T> x, Symbol<T> n) {
  auto const body = [](Symbol<T> y, Symbol<T> power) {
    Symbol<T> const half = floor(power * Symbol<T>(T(0.5)));
    return (y * power_of_two(half)) * power_of_two(power - half);
  };
  return called<T>("scale", body, x, n);
}

/// A subnormal number times 2^mantissa_bits.
template <std::floating_point T>
Symbol<T> made_normal(Symbol<T> x) {
  Symbol<bool> const small = x < Symbol<T>(word::Layout<T>::smallest_normal);
  return select(small, x / Symbol<T>(std::numeric_limits<T>::epsilon()), x);
}

template <std::floating_point T>
Symbol<T> exponent(Symbol<T> x) {
  auto const body = [](Symbol<T> y) {
    using L = word::Layout<T>;
    Symbol<bool> const small = y < Symbol<T>(L::smallest_normal);
    Symbol<T> const biased = cast<T>(cast<int>(bits(made_normal(y)) >> L::mantissa_bits));
    return biased - select(small, Symbol<T>(T(L::bias + L::mantissa_bits)), Symbol<T>(T(L::bias)));
  };
  return called<T>("exponent", body, x);
}

template <std::floating_point T>
Symbol<T> mantissa(Symbol<T> x) {
  auto const body = [](Symbol<T> y) {
    using L = word::Layout<T>;
    using Bits = Symbol<typename L::Bits>;
    return from_bits((bits(made_normal(y)) & Bits(L::fraction)) | Bits(L::one));
  };
  return called<T>("mantissa", body, x);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/symbol_halves.hpp

#ifndef TENON_BACKEND_SOURCE_SYMBOL_HALVES_HPP
#define TENON_BACKEND_SOURCE_SYMBOL_HALVES_HPP

/// The 16-bit dtypes in kernels: unsigned integers, which become floats where they are read and are
/// rounded where they are stored, by integer arithmetic that all languages have, as in
/// `core/half.hpp`.
namespace tenon::source {

using Bits32 = Symbol<std::uint32_t>;

/// The same name, or number, as another type of as many bits.
template <HalfType T>
Symbol<std::uint16_t> stored_bits(Symbol<T> x) {
  if (x.is_number()) return x.number.bits;
  return {*x.listing, x.name};
}
template <HalfType T>
Symbol<T> from_stored_bits(Symbol<std::uint16_t> b) {
  if (b.is_number()) return T::from_bits(b.number);
  return {*b.listing, b.name};
}

inline Symbol<float> value_of_bits(std::type_identity<bfloat16>, Bits32 b) {
  return from_bits(b << 16);
}
inline Symbol<float> value_of_bits(std::type_identity<float16>, Bits32 b) {
  Bits32 const sign = (b & Bits32(0x8000u)) << 16, fraction = b & Bits32(0x3ffu);
  Bits32 const exponent = (b >> 10) & Bits32(0x1fu);
  Symbol<bool> const is_last = exponent == Bits32(0x1fu);
  Bits32 const wide = select(is_last, Bits32(0xffu), exponent + Bits32(127 - 15));
  Bits32 const quiet = select(is_last & (fraction != Bits32(0u)), Bits32(0x400000u), Bits32(0u));
  Bits32 const usual = (wide << 23) | quiet | (fraction << 13);
  Bits32 const small = bits(cast<float>(fraction) * Symbol<float>(0x1p-24f));
  return from_bits(sign | select(exponent == Bits32(0u), small, usual));
}

inline Bits32 bits_of_value(std::type_identity<bfloat16>, Symbol<float> x) {
  Bits32 const all = bits(x);
  Bits32 const nan = select((all >> 31) != Bits32(0u), Bits32(0xffc0u), Bits32(0x7fc0u));
  Bits32 const rounded = (all + Bits32(0x7fffu) + ((all >> 16) & Bits32(1u))) >> 16;
  return select(x != x, nan, rounded);
}
inline Bits32 bits_of_value(std::type_identity<float16>, Symbol<float> x) {
  Bits32 const all = bits(x), sign = (all >> 16) & Bits32(0x8000u);
  Bits32 const size = all & Bits32(0x7fffffffu);
  Bits32 const usual =
      (size - Bits32(0x38000000u) + Bits32(0xfffu) + ((size >> 13) & Bits32(1u))) >> 13;
  Bits32 const small = bits(from_bits(size) + Symbol<float>(0.5f)) - Bits32(0x3f000000u);
  Bits32 const half = select(size < Bits32(0x38800000u), small, usual);
  Bits32 const large = select(size > Bits32(0x7f800000u), Bits32(0x7e00u), Bits32(0x7c00u));
  return sign | select(size >= Bits32(0x47800000u), large, half);
}

/// The float that a 16-bit number stands for.
template <HalfType T>
Symbol<float> widened(Symbol<T> x) {
  auto const body = [](Symbol<std::uint16_t> b) {
    return value_of_bits(std::type_identity<T>(), cast<std::uint32_t>(b));
  };
  return called<float>(dtype_name<T>, body, stored_bits(x));
}
/// A float rounded to a 16-bit number, to nearest even.
template <HalfType T>
Symbol<T> narrowed(Symbol<float> x) {
  auto const body = [](Symbol<float> y) {
    return cast<std::uint16_t>(bits_of_value(std::type_identity<T>(), y));
  };
  return from_stored_bits<T>(called<std::uint16_t>(dtype_name<T>, body, x));
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/walk.hpp

#ifndef TENON_BACKEND_SOURCE_WALK_HPP
#define TENON_BACKEND_SOURCE_WALK_HPP

namespace tenon::source {

/// What a recipe is: equal types over equal leaves are one.
using Identity = std::vector<std::uint64_t>;

/// What is known while a kernel is printed.
struct Walk {
  explicit Walk(Functions& functions) : listing(functions), scalars{functions.are_for_device} {}
  Walk(Walk const&) = delete;

  Listing listing;
  Variables variables;
  Memories memories{variables};
  Scalars scalars;
  Rows rows{};
  Quantities product_sizes{};
  Quantities steps_of_result{};  ///< Where it does not lie row-major.
  bool has_steps_of_result = false;
  std::function<int(Places const&)> product;  ///< The name of an element of `own_product`.
  void const* own_value = nullptr;            ///< The memory that stands for it; or null.
  std::map<Identity, Quantities> sizes{};     ///< Of nodes, by what they are.
  std::map<Identity, Quantities> steps{};     ///< Of nodes with steps of their own.
  std::map<Identity, int> folds{};            ///< Names, by what is folded where.

  Indexing indexing() { return {listing, variables, rows}; }

  /// Does a leaf stand for the product that the kernel computes itself?
  template <class E>
  bool reads_own_product(E const& leaf) const {
    if constexpr (TensorType<E>) return own_value != nullptr && leaf.data() == own_value;
    else return is_own_product(leaf);
  }
};

[[gnu::noinline]] inline void add_to(Identity& identity, std::uint64_t number) {
  identity.push_back(number);
}
template <class E>
void identify(Walk& walk, E const& e, Identity& identity) {
  add_to(identity, reinterpret_cast<std::uintptr_t>(&type_mark<E>));
  if constexpr (Leaf<E>)
    add_to(identity, walk.reads_own_product(e) ? 0 : walk.memories.find(e) + 1);
  if constexpr (is_constant<E>) add_to(identity, bits_of_number(e.value));
  each_number(e,
              [&](std::int64_t number) { add_to(identity, static_cast<std::uint64_t>(number)); });
  each_operand(e, [&](auto const& operand) { identify(walk, operand, identity); });
}
template <class E>
Identity identity(Walk& walk, E const& e) {
  Identity result;
  identify(walk, e, result);
  return result;
}

// The sizes of a node: sizes that evaluation has found equal are one argument.

template <class E>
Quantities sizes_of(Walk& walk, E const& e);

template <class Op, class... E>
Quantities found_sizes(Walk& walk, Elementwise<Op, E...> const& e) {
  auto const& aligned = Elementwise<Op, E...>::types::aligned;
  Quantities result = walk.memories.quantities(aligned.shape, e.sizes());
  std::size_t k = 0;
  each_operand(e, [&](auto const& operand) {
    Quantities const own = sizes_of(walk, operand);
    for (std::size_t i = 0; i < static_cast<std::size_t>(operand.shape.rank); ++i) {
      int const axis = aligned.maps[k][i];
      if (axis >= 0) walk.variables.same(result[static_cast<std::size_t>(axis)], own[i]);
    }
    ++k;
  });
  return result;
}

template <class Op, class E, AxisBits axes, bool keeps>
Quantities found_sizes(Walk& walk, Fold<Op, E, axes, keeps> const& e) {
  Quantities const from = sizes_of(walk, e.operand);
  Quantities result{};
  std::size_t to = 0;
  for (int i = 0; i < E::shape.rank; ++i) {
    bool const folds = has_axis(axes, i);
    if (!folds) result[to] = from[static_cast<std::size_t>(i)];
    to += folds && !keeps ? 0 : 1;
  }
  return result;
}

template <class Table, class Ids, int axis>
Quantities found_sizes(Walk& walk, Gather<Table, Ids, axis> const& e) {
  Quantities const rows = sizes_of(walk, e.table), chosen = sizes_of(walk, e.ids);
  Quantities result{};
  for (int i = 0; i < Gather<Table, Ids, axis>::shape.rank; ++i) {
    bool const is_chosen = i >= axis && i < axis + Ids::shape.rank;
    int const from = is_chosen ? i - axis : i < axis ? i : i - Ids::shape.rank + 1;
    result[static_cast<std::size_t>(i)] =
        is_chosen ? chosen[static_cast<std::size_t>(from)] : rows[static_cast<std::size_t>(from)];
  }
  return result;
}

template <class Table, class Ids, int axis>
Quantities found_sizes(Walk& walk, PickAlong<Table, Ids, axis> const& e) {
  return sizes_of(walk, e.ids);
}

template <class Table, class Ids, int axis>
Quantities found_sizes(Walk& walk, TakeAlong<Table, Ids, axis> const& e) {
  Quantities const table = sizes_of(walk, e.table), ids = sizes_of(walk, e.ids);
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (i != axis) walk.variables.same(ids[i], table[i]);
  }
  return ids;
}

/// The sizes of the labels of a product.
template <class A, class B, class Rule>
std::array<Quantity, max_labels> label_quantities(Walk& walk, Contract<A, B, Rule> const& e) {
  Contraction const& rule = Rule::contraction;
  Quantities const a = sizes_of(walk, e.a), b = sizes_of(walk, e.b);
  std::array<Quantity, max_labels> result{};
  auto const add = [&](AxisMap const& labels, Quantities const& sizes, int rank) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      if (labels[i] < 0) continue;
      Quantity& known = result[static_cast<std::size_t>(labels[i])];
      if (known.is_one()) known = sizes[i];
      else walk.variables.same(known, sizes[i]);
    }
  };
  add(rule.left, a, A::shape.rank);
  add(rule.right, b, B::shape.rank);
  return result;
}

template <class A, class B, class Rule>
Quantities found_sizes(Walk& walk, Contract<A, B, Rule> const& e) {
  auto const labels = label_quantities(walk, e);
  Quantities result{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(Rule::contraction.shape.rank); ++i) {
    int const label = Rule::contraction.out[i];
    if (label >= 0) result[i] = labels[static_cast<std::size_t>(label)];
  }
  return result;
}

template <class T>
Quantities found_sizes(Walk&, ConstantNode<T> const&) {
  return {};
}
template <Leaf E>
Quantities found_sizes(Walk& walk, E const& leaf) {
  if (walk.reads_own_product(leaf)) return walk.product_sizes;
  return walk.memories[walk.memories.find(leaf)].sizes;
}
template <class E, PackedMap order, Spec S>
Quantities found_sizes(Walk& walk, Moved<E, order, S> const& e) {
  (void)sizes_of(walk, e.operand);
  return walk.memories.quantities(e.shape, e.sizes());
}

template <class E, Spec S, bool by_one>
Quantities found_sizes(Walk& walk, Stepped<E, S, by_one> const& e) {
  return walk.memories.quantities(e.shape, e.extents);
}

template <class E>
Quantities sizes_of(Walk& walk, E const& e) {
  Identity const key = identity(walk, e);
  if (auto const known = walk.sizes.find(key); known != walk.sizes.end()) return known->second;
  return walk.sizes[key] = found_sizes(walk, e);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/element.hpp

#ifndef TENON_BACKEND_SOURCE_ELEMENT_HPP
#define TENON_BACKEND_SOURCE_ELEMENT_HPP

/// One element of a recipe in names, node by node as `eval/element.hpp` defines it.
namespace tenon::source {

/// Says of a value where it comes from.
template <class E, class T>
Symbol<T> commented(Symbol<T> const& value, std::string_view what) {
  if (!value.is_number())
    value.listing->comment(value.name,
                           std::string(what) + " \"" + std::string(spec_of<E>.view()) + "\"");
  return value;
}

template <class T>
Symbol<T> element_of(Walk& walk, ConstantNode<T> const& constant, Places const&) {
  if (!walk.scalars.are_arguments) return constant.value;
  return Symbol<T>(walk.listing, walk.scalars.name(walk.listing, constant.value));
}

template <Leaf E>
auto element_of(Walk& walk, E const& leaf, Places const& at) {
  using T = typename E::value_type;
  if (walk.reads_own_product(leaf)) return Symbol<T>(walk.listing, walk.product(at));
  Memory const& memory = walk.memories[walk.memories.find(leaf)];
  IndexText const index = memory.is_view
                              ? strided_index(walk.indexing(), memory.strides, E::shape.rank, at)
                              : row_major_index(walk.indexing(), memory.sizes, E::shape.rank, at);
  std::string const text = memory.name + "[" + index.text + "]";
  return Symbol<T>(walk.listing, walk.listing.value(type_text<T>, text, index.names));
}

/// The steps of a node that has its own: numbers where the type knows all sizes.
template <class E, Spec S, bool by_one>
Quantities steps_of(Walk& walk, Stepped<E, S, by_one> const& e) {
  constexpr int rank = Stepped<E, S, by_one>::shape.rank;
  Identity const key = identity(walk, e);
  if (auto const known = walk.steps.find(key); known != walk.steps.end()) return known->second;
  Quantities steps{};
  for (std::size_t i = 0; i < max_rank; ++i) steps[i] = {e.steps.along[i]};
  if (!E::shape.is_static()) steps = walk.memories.strides(rank, e.steps.along);
  return walk.steps[key] = steps;
}

template <class E, Spec S, bool by_one>
auto element_of(Walk& walk, Stepped<E, S, by_one> const& e, Places const& at) {
  using Node = Stepped<E, S, by_one>;
  using T = typename E::value_type;
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), Node::shape.rank, at, e.steps.start);
  std::string const name = walk.memories[walk.memories.find(e.operand)].name;
  return Symbol<T>(walk.listing,
                   walk.listing.value(type_text<T>, name + "[" + index.text + "]", index.names));
}

/// Where operand k of a map is.
template <std::size_t k, class Node, class E>
Places operand_places(Places const& at) {
  AxisMap const& map = Node::types::maps[k];
  Places own{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(E::shape.rank); ++i) {
    if (map[i] >= 0) own[i] = at[static_cast<std::size_t>(map[i])];
  }
  return own;
}

/// The element of operand k of a map.
template <std::size_t k, class Node, class E>
auto operand_of(Walk& walk, E const& operand, Places const& at) {
  return element_of(walk, operand, operand_places<k, Node, E>(at));
}

template <class Node, class... V>
auto op_of(V const&... x) {
  using Op = typename Node::op;
  auto const body = [](auto const&... v) { return Op::f(v...); };
  return commented<Node>(called<typename Node::value_type>(Op::name, body, x...), Op::name);
}

template <class Op, class A>
auto element_of(Walk& walk, Elementwise<Op, A> const& e, Places const& at) {
  using Node = Elementwise<Op, A>;
  return op_of<Node>(operand_of<0, Node>(walk, e.a, at));
}
template <class Op, class A, class B>
auto element_of(Walk& walk, Elementwise<Op, A, B> const& e, Places const& at) {
  using Node = Elementwise<Op, A, B>;
  auto const a = operand_of<0, Node>(walk, e.a, at);
  auto const b = operand_of<1, Node>(walk, e.b, at);
  return op_of<Node>(a, b);
}
template <class Op, class A, class B, class C>
auto element_of(Walk& walk, Elementwise<Op, A, B, C> const& e, Places const& at) {
  using Node = Elementwise<Op, A, B, C>;
  auto const a = operand_of<0, Node>(walk, e.a, at);
  auto const b = operand_of<1, Node>(walk, e.b, at);
  auto const c = operand_of<2, Node>(walk, e.c, at);
  return op_of<Node>(a, b, c);
}

// Where the operand of a move is, or the table of a choice.

template <class E, PackedMap order, Spec S>
Places places_below(Walk&, Moved<E, order, S> const& e, Places const& at) {
  using Node = Moved<E, order, S>;
  Places own{};
  for (std::size_t i = 0; i < max_rank; ++i) own[i].start = e.start[i];
  for (std::size_t i = 0; i < static_cast<std::size_t>(Node::shape.rank); ++i) {
    if (Node::order[i] < 0) continue;
    Place& place = own[static_cast<std::size_t>(Node::order[i])];
    place.terms.insert(place.terms.end(), at[i].terms.begin(), at[i].terms.end());
    place.start += at[i].start;
  }
  return own;
}
template <class E, PackedMap order, Spec S>
auto element_of(Walk& walk, Moved<E, order, S> const& e, Places const& at) {
  return element_of(walk, e.operand, places_below(walk, e, at));
}

/// The name of an id, or of the nearest below `size`.
inline int kept_inside(Walk& walk, int id, Quantity const& size) {
  if (!walk.listing.functions().are_for_device) return id;
  std::string const pattern = "$0 < 0 ? 0 : $0 < $1 ? $0 : $1 - 1";
  return walk.listing.value(
      "i64", filled(pattern, {walk.listing.text(id), walk.variables.text(size)}), {id});
}

/// The place along an axis of a table that an id names.
template <class Table, class Ids>
Place chosen(Walk& walk, Table const& table, int axis, Ids const& ids, Places const& at) {
  int const id = convert<std::int64_t>(element_of(walk, ids, at)).name;
  return {{kept_inside(walk, id, sizes_of(walk, table)[static_cast<std::size_t>(axis)])}};
}

template <class Table, class Ids, int axis>
Places places_below(Walk& walk, Gather<Table, Ids, axis> const& e, Places const& at) {
  Places of_id{}, own{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(Ids::shape.rank); ++i)
    of_id[i] = at[axis + i];
  for (int i = 0; i < Table::shape.rank; ++i) {
    int const from = i < axis ? i : i - 1 + Ids::shape.rank;
    if (i != axis) own[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(from)];
  }
  own[axis] = chosen(walk, e.table, axis, e.ids, of_id);
  return own;
}
template <class Table, class Ids, int axis>
auto element_of(Walk& walk, Gather<Table, Ids, axis> const& e, Places const& at) {
  auto const value = element_of(walk, e.table, places_below(walk, e, at));
  return commented<Gather<Table, Ids, axis>>(value, TakeName::name);
}

template <class Table, class Ids, int axis>
Places places_below(Walk& walk, PickAlong<Table, Ids, axis> const& e, Places const& at) {
  Places own{};
  for (int i = 0; i < Table::shape.rank; ++i) {
    int const from = i < axis ? i : i - 1;
    if (i != axis) own[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(from)];
  }
  own[axis] = chosen(walk, e.table, axis, e.ids, at);
  return own;
}
template <class Table, class Ids, int axis>
auto element_of(Walk& walk, PickAlong<Table, Ids, axis> const& e, Places const& at) {
  auto const value = element_of(walk, e.table, places_below(walk, e, at));
  return commented<PickAlong<Table, Ids, axis>>(value, PickName::name);
}

template <class Table, class Ids, int axis>
Places places_below(Walk& walk, TakeAlong<Table, Ids, axis> const& e, Places const& at) {
  Places own = at;
  own[axis] = chosen(walk, e.table, axis, e.ids, at);
  return own;
}
template <class Table, class Ids, int axis>
auto element_of(Walk& walk, TakeAlong<Table, Ids, axis> const& e, Places const& at) {
  auto const value = element_of(walk, e.table, places_below(walk, e, at));
  return commented<TakeAlong<Table, Ids, axis>>(value, TakeAlongName::name);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/folds.hpp

#ifndef TENON_BACKEND_SOURCE_FOLDS_HPP
#define TENON_BACKEND_SOURCE_FOLDS_HPP

/// Folds and products as loops, before their result is used and outside of all loops that it does
/// not vary in.
namespace tenon::source {

/// Nested loops, the innermost last.
class Loops {
 public:
  Loops(Listing& listing, int outer) : listing_(&listing), block_(outer), outer_(outer) {}
  int block() const { return block_; }

  Place enter(std::string const& size) {
    auto const loop = listing_->loop(size, block_);
    blocks_.push_back(block_ = loop.block);
    return {{loop.counter}};
  }
  /// A block that is no loop of its own; its number.
  int enter_header(std::string const& header) {
    blocks_.push_back(block_ = listing_->open(header, block_));
    return block_;
  }
  /// Closes all, the innermost first; before each, `last(block)`.
  template <class Last>
  void close(Last const& last) {
    for (; !blocks_.empty(); blocks_.pop_back()) {
      last(blocks_.back());
      listing_->close(blocks_.back());
    }
    block_ = outer_;
  }
  void close() {
    close([](int) {});
  }

 private:
  Listing* listing_;
  int block_, outer_;
  std::vector<int> blocks_;
};

/// The innermost block of the names of places.
inline int block_of(Walk& walk, Places const& at) {
  std::vector<int> names;
  for (Place const& place : at) {
    for (int term : place.terms) names.push_back(term < 0 ? walk.rows.row : term);
  }
  return walk.listing.innermost(names);
}

/// What is computed where.
inline Identity at_places(Identity identity, Places const& at) {
  for (Place const& place : at) {
    add_to(identity, static_cast<std::uint64_t>(place.start));
    add_to(identity, place.terms.size());
    for (int term : place.terms) add_to(identity, static_cast<std::uint64_t>(term));
  }
  return identity;
}

/// The total of a fold while it runs: in the order of `PairwiseFold` where rounding depends on it.
template <class Op, class T>
class Total {
 public:
  Total(Listing& listing, int block, bool in_blocks)
      : listing_(&listing), block_(block), in_blocks_(in_blocks) {
    total_ = listing.variable(type_text<T>, literal(Op::template identity<T>), block);
    if (!in_blocks) return;
    std::string const own = listing.text(total_);
    level_ = own + "_level", count_ = own + "_count", blocks_ = own + "_blocks", at_ = own + "_at";
    listing.line(block, std::string(type_text<T>) + " " + level_ + "[48];");
    listing.line(block, "i32 " + count_ + " = 0;");
    listing.line(block, "u64 " + blocks_ + " = 0;");
  }

  int name() const { return total_; }

  void add(Symbol<T> const& x, int block) {
    combine(Symbol<T>(*listing_, total_), x, block);
    if (in_blocks_) carry(block);
  }

  /// After all: the blocks that wait are added.
  void finish() {
    if (!in_blocks_) return;
    int const loop = listing_->open(
        "for (i32 " + at_ + " = 0; (" + blocks_ + " >> " + at_ + ") != 0; ++" + at_ + ")", block_);
    int const waits = listing_->open("if ((" + blocks_ + " >> " + at_ + " & 1) != 0)", loop);
    combine_level(waits);
    listing_->close(waits);
    listing_->close(loop);
  }

 private:
  void combine(Symbol<T> const& a, Symbol<T> const& b, int block) {
    auto const body = [](auto const& x, auto const& y) { return Op::f(x, y); };
    Symbol<T> const sum = listing_->within(block, [&] { return called<T>(Op::name, body, a, b); });
    listing_->line(block, listing_->text(total_) + " = " + sum.text() + ";");
  }
  void combine_level(int block) {
    int const level = listing_->parameter(level_ + "[" + at_ + "]", block);
    combine(Symbol<T>(*listing_, level), Symbol<T>(*listing_, total_), block);
  }

  /// A full block is carried up, as in binary counting.
  void carry(int block) {
    std::string const length = std::to_string(PairwiseFold<ScalarMachine, Op, T>::block_length);
    int const full = listing_->open("if (++" + count_ + " == " + length + ")", block);
    listing_->line(full, "i32 " + at_ + " = 0;");
    int const loop =
        listing_->open("for (; (" + blocks_ + " >> " + at_ + " & 1) != 0; ++" + at_ + ")", full);
    combine_level(loop);
    listing_->close(loop);
    listing_->line(full, level_ + "[" + at_ + "] = " + listing_->text(total_) + ";");
    listing_->line(full, listing_->text(total_) + " = " + literal(Op::template identity<T>) + ";");
    listing_->line(full, "++" + blocks_ + ";");
    listing_->line(full, count_ + " = 0;");
    listing_->close(full);
  }

  Listing* listing_;
  int block_;
  bool in_blocks_;
  int total_;
  std::string level_, count_, blocks_, at_;
};

/// Enters a loop for every folded axis; the places in the operand.
template <class Op, class E, AxisBits axes, bool keeps>
Places folded_places(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at,
                     Loops& loops) {
  Quantities const sizes = sizes_of(walk, e.operand);
  Places own{};
  for (std::size_t i = 0, from = 0; i < static_cast<std::size_t>(E::shape.rank); ++i) {
    bool const folds = has_axis(axes, static_cast<int>(i));
    own[i] = folds ? loops.enter(walk.variables.text(sizes[i])) : at[from];
    from += folds && !keeps ? 0 : 1;
  }
  return own;
}

/// May a fold be longer than a block?
template <class E, AxisBits axes>
constexpr bool is_longer_than_a_block() {
  std::int64_t length = 1;
  for (int i = 0; i < E::shape.rank; ++i) {
    if (has_axis(axes, i) && !E::shape[i].is_static()) return true;
    if (has_axis(axes, i)) length *= E::shape[i].size;
  }
  return length > 64;
}

template <class Op, class E, AxisBits axes, bool keeps>
int folded_total(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  using T = typename E::value_type;
  constexpr bool rounds = std::floating_point<T> && !std::derived_from<Op, op::Extreme>;
  Total<Op, T> total(walk.listing, block, rounds && is_longer_than_a_block<E, axes>());
  Loops loops(walk.listing, block);
  Places const own = folded_places(walk, e, at, loops);
  total.add(element_of(walk, e.operand, own), loops.block());
  loops.close();
  total.finish();
  return total.name();
}

/// The position of the best; -1 where there is none. (Evaluation refuses an empty axis.)
template <class Op, class E, AxisBits axes, bool keeps>
int folded_position(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at, int block) {
  using T = typename E::value_type;
  Listing& l = walk.listing;
  int const best = l.variable(type_text<T>, literal(T(0)), block);
  int const position = l.variable("i32", "-1", block), number = l.variable("i32", "0", block);
  Loops loops(l, block);
  Symbol<T> const x = element_of(walk, e.operand, folded_places(walk, e, at, loops));
  auto const body = [](auto const& a, auto const& b) { return Op::better(a, b); };
  auto const better =
      l.within(loops.block(), [&] { return called<bool>(Op::name, body, x, Symbol<T>(l, best)); });
  int const found =
      l.open("if (" + l.text(number) + " == 0 || " + better.text() + ")", loops.block());
  l.line(found, l.text(best) + " = " + x.text() + ";");
  l.line(found, l.text(position) + " = " + l.text(number) + ";");
  l.close(found);
  l.line(loops.block(), "++" + l.text(number) + ";");
  loops.close();
  return position;
}

template <class Op, class E, AxisBits axes, bool keeps>
auto element_of(Walk& walk, Fold<Op, E, axes, keeps> const& e, Places const& at) {
  using Node = Fold<Op, E, axes, keeps>;
  using R = Symbol<typename Node::value_type>;
  Identity const key = at_places(identity(walk, e), at);
  auto const known = walk.folds.find(key);
  if (known != walk.folds.end() && walk.listing.is_open(walk.listing.block_of(known->second)))
    return R(walk.listing, known->second);
  int const block = block_of(walk, at);
  int const name = [&] {
    if constexpr (op::PositionFold<Op>) return folded_position(walk, e, at, block);
    else return folded_total(walk, e, at, block);
  }();
  walk.folds[key] = name;
  return commented<Node>(R(walk.listing, name), Op::name);
}

/// The positions of an operand's axes among those of labels.
inline Places labelled_places(AxisMap const& labels, std::array<Place, max_labels> const& at) {
  Places own{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) own[i] = at[static_cast<std::size_t>(labels[i])];
  }
  return own;
}

template <class A, class B, class Rule>
auto element_of(Walk& walk, Contract<A, B, Rule> const& e, Places const& at) {
  using T = typename A::value_type;
  Contraction const& rule = Rule::contraction;
  auto const sizes = label_quantities(walk, e);
  Loops loops(walk.listing, block_of(walk, at));
  Total<op::SumFold, T> total(walk.listing, loops.block(), false);
  std::array<Place, max_labels> places{};
  std::array<bool, max_labels> fixed{};
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (rule.out[i] < 0) continue;
    places[static_cast<std::size_t>(rule.out[i])] = at[i];
    fixed[static_cast<std::size_t>(rule.out[i])] = true;
  }
  for (std::size_t l = 0; l < static_cast<std::size_t>(rule.labels); ++l) {
    if (!fixed[l]) places[l] = loops.enter(walk.variables.text(sizes[l]));
  }
  Symbol<T> const a = element_of(walk, e.a, labelled_places(rule.left, places));
  Symbol<T> const b = element_of(walk, e.b, labelled_places(rule.right, places));
  total.add(a * b, loops.block());
  loops.close();
  return Symbol<T>(walk.listing, total.name());
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/rows.hpp

#ifndef TENON_BACKEND_SOURCE_ROWS_HPP
#define TENON_BACKEND_SOURCE_ROWS_HPP

namespace tenon::source {

/// Opens the loops of a kernel of which the last `row_axes` of `rank` axes are walked within a row;
/// where its elements are.
inline Places open_rows(Walk& walk, Quantities const& sizes, int rank, int row_axes, Loops& loops) {
  Listing& listing = walk.listing;
  walk.rows = {rank - row_axes, -1, sizes};
  std::string const count = product_text(walk.variables, sizes, 0, walk.rows.rank);
  walk.rows.row = listing.parameter(
      "row", loops.enter_header(filled(listing.functions().dialect().rows, {count})));
  Places at{};
  for (int i = 0; i < rank; ++i) {
    auto const axis = static_cast<std::size_t>(i);
    if (i < walk.rows.rank) at[axis] = {{Rows::term(i)}};
    else at[axis] = loops.enter(walk.variables.text(sizes[axis]));
  }
  return at;
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/kernel.hpp

#ifndef TENON_BACKEND_SOURCE_KERNEL_HPP
#define TENON_BACKEND_SOURCE_KERNEL_HPP

namespace tenon::source {

/// What a kernel is called with at one place.
struct Argument {
  enum class Is {
    result,        ///< Written, all of it.
    product,       ///< Written: a product, whose kernel goes on to compute the result.
    adjoint,       ///< The adjoint of the result, row-major; read.
    leaf_adjoint,  ///< `adjoints[at]`; added to.
    parts,         ///< The parts of `adjoints[at]`, one after the other; added to, zeros first.
    summed_parts,  ///< The same where they are added up; read.
    memory,        ///< `memories[at]`; read.
    number,        ///< `numbers[at]`.
    scalar         ///< `scalars[at]`.
  };
  Is is;
  std::size_t at = 0;
};

/// A kernel as a text, and what it is called with: the result, the memory it reads, and the
/// run-time sizes and numbers, in this order. Of a backward kernel `type`, `elements` and
/// `element_bytes` are those of the adjoint that it passes back.
struct Kernel {
  std::string name;
  std::string text;
  std::string_view type;  ///< Of the result's elements.
  std::int64_t elements;
  std::int64_t element_bytes;
  std::vector<Memory> memories{};
  std::vector<Variables::Argument> numbers{};
  std::vector<Scalars::Argument> scalars{};
  std::vector<LeafAdjoint> adjoints{};  ///< What a backward kernel adds to.
  std::vector<Argument> arguments{};    ///< All, in order.
  Work work{};
  void const* product = nullptr;    ///< Where the product is wanted as well,
  std::string_view product_type{};  ///< and the type of its elements.
  int pulls = -1;                   ///< The kernel of a plan whose result's adjoint it reads.
};

/// All arguments of a kernel that begins with some.
inline std::vector<Argument> arguments_of(Kernel const& kernel, std::vector<Argument> first) {
  for (std::size_t i = 0; i < kernel.memories.size(); ++i)
    first.push_back({Argument::Is::memory, i});
  for (std::size_t i = 0; i < kernel.numbers.size(); ++i)
    first.push_back({Argument::Is::number, i});
  for (std::size_t i = 0; i < kernel.scalars.size(); ++i)
    first.push_back({Argument::Is::scalar, i});
  return first;
}

/// One of the parameters of a kernel, as a dialect has it.
inline std::string parameter_of(Dialect const& dialect, Kernel const& kernel, Argument argument,
                                std::size_t place) {
  auto const say = [&](std::string_view pattern, std::string_view type, std::string const& name) {
    return filled(pattern, {std::string(type), name, std::to_string(place)});
  };
  using Is = Argument::Is;
  std::size_t const at = argument.at;
  if (argument.is == Is::result) return say(dialect.result, kernel.type, "out");
  if (argument.is == Is::product) return say(dialect.result, kernel.product_type, "product");
  if (argument.is == Is::adjoint) return say(dialect.operand, kernel.type, "adjoint");
  if (argument.is == Is::number) return say(dialect.size, "i64", kernel.numbers[at].name);
  if (argument.is == Is::scalar)
    return say(dialect.size, kernel.scalars[at].type, kernel.scalars[at].name);
  if (argument.is == Is::memory)
    return say(dialect.operand, kernel.memories[at].type, kernel.memories[at].name);
  LeafAdjoint const& own = kernel.adjoints[at];
  if (argument.is == Is::summed_parts) return say(dialect.operand, own.leaf.type, "parts");
  return say(dialect.result, own.leaf.type, own.name);
}

/// The parameters of a kernel: what `$0 $1 $2` are in the patterns of a dialect.
inline std::string kernel_parameters(Dialect const& dialect, Kernel const& kernel) {
  std::vector<std::string> all;
  all.reserve(kernel.arguments.size());
  for (Argument const& argument : kernel.arguments)
    all.push_back(parameter_of(dialect, kernel, argument, all.size()));
  return joined(all, ", ");
}

/// What a kernel reads, as comments.
inline std::string memory_comments(Kernel const& kernel) {
  std::string text;
  for (Memory const& memory : kernel.memories) {
    text += "// " + memory.name + ": " + std::string(memory.dtype) + " \"" + memory.spec + "\"";
    if (memory.earlier >= 0) text += ", the result of kernel_" + std::to_string(memory.earlier);
    text += "\n";
  }
  return text;
}

/// What a backward kernel adds to, as comments.
inline std::string adjoint_comments(Kernel const& kernel, std::string const& type) {
  std::string text = "// adjoint: " + type + "\n";
  for (LeafAdjoint const& own : kernel.adjoints) {
    text += "// " + own.name + ": the adjoint of " + own.leaf.name;
    if (own.parts > 0) text += ", in parts";
    text += "\n";
  }
  return text;
}

/// Stores the element that is computed within the loops.
inline void store(Walk& walk, Quantities const& sizes, int rank, Places const& at,
                  std::string const& value, Loops& loops) {
  IndexText const index = walk.listing.within(loops.block(), [&] {
    return walk.has_steps_of_result ? strided_index(walk.indexing(), walk.steps_of_result, rank, at)
                                    : row_major_index(walk.indexing(), sizes, rank, at);
  });
  walk.listing.line(loops.block(), "out[" + index.text + "] = " + value + ";");
  loops.close();
}

template <class E>
void print_rows(Walk& walk, E const& e, int row_axes) {
  Quantities const sizes = sizes_of(walk, e);
  Loops loops(walk.listing, 0);
  Places const at = open_rows(walk, sizes, E::shape.rank, row_axes, loops);
  std::string const value = term_of(element_of(walk, e, at)).text;
  store(walk, sizes, E::shape.rank, at, value, loops);
}

/// A recipe reads this as its `own_product`: computed anew, or where an earlier kernel has put it.
template <class P>
void reads_product(Walk& walk, P const& product) {
  walk.product_sizes = sizes_of(walk, product);
  walk.product = [&walk, product](Places const& at) { return element_of(walk, product, at).name; };
}

/// A kernel with its text, which begins with a comment; `first` are its first arguments.
inline Kernel with_text(Kernel kernel, Walk& walk, std::string const& comment,
                        std::vector<Argument> first) {
  kernel.memories = walk.memories.all();
  kernel.numbers = walk.variables.arguments();
  kernel.scalars = walk.scalars.all();
  for (int i = 0; i < walk.rows.rank; ++i)
    kernel.work.rows *= walk.rows.sizes[static_cast<std::size_t>(i)].number;
  kernel.arguments = arguments_of(kernel, std::move(first));
  Dialect const& dialect = walk.listing.functions().dialect();
  kernel.text = comment + memory_comments(kernel) +
                filled(kernel.work.groups > 0 ? dialect.group_kernel : dialect.kernel,
                       {kernel.name, kernel_parameters(dialect, kernel),
                        std::to_string(kernel.work.members)}) +
                " {\n";
  for (std::string const& line : walk.listing.lines()) kernel.text += "  " + line + "\n";
  kernel.text += "}\n";
  return kernel;
}

/// The dtype and the spec of a recipe.
template <class E>
std::string type_of_recipe() {
  return std::string(dtype_name<typename E::value_type>).append(" \"").append(spec_of<E>.view()) +
         "\"";
}

template <class E>
Kernel finished(Walk& walk, E const& e, std::string name) {
  using T = typename E::value_type;
  Kernel kernel{std::move(name), {}, type_text<T>, count(e.sizes(), E::shape.rank), sizeof(T)};
  return with_text(std::move(kernel), walk, "// out: " + type_of_recipe<E>() + "\n",
                   {{Argument::Is::result}});
}

/// The kernel of a settled recipe.
template <class E>
Kernel printed(Functions& functions, std::string name, E const& e) {
  Walk walk(functions);
  print_rows(walk, e, has_fold<E> ? wanted_row<E> : 0);
  return finished(walk, e, std::move(name));
}

/// The kernel of a product with the settled recipe that reads it as `own_product`.
template <class P, class E>
Kernel printed(Functions& functions, std::string name, P const& product, E const& e) {
  Walk walk(functions);
  reads_product(walk, product);
  print_rows(walk, e, 0);
  return finished(walk, e, std::move(name));
}

/// The kernel of a settled recipe that reads as `own_product` what kernel `number` computed.
template <class P, class E>
Kernel printed(Functions& functions, std::string name, P const& product, int number, E const& e) {
  Walk walk(functions);
  reads_product(walk, earlier(product, number));
  print_rows(walk, e, 0);
  return finished(walk, e, std::move(name));
}

/// Prints what a plan runs.
class Printer {
 public:
  explicit Printer(Dialect const& dialect, bool is_for_device = false)
      : functions_(dialect, is_for_device) {}

  template <class E>
  int kernel(E const& e) {
    return add(printed(functions_, next_name(), e));
  }
  template <class E>
  int product(E const& e) {
    return add(printed(functions_, next_name(), e));
  }
  template <class P, class E>
  int epilogue(P const& product, E const& e) {
    return add(printed(functions_, next_name(), product, e));
  }

  std::vector<Kernel> const& kernels() const { return kernels_; }
  std::string const& functions() const { return functions_.text(); }

 private:
  std::string next_name() const { return "kernel_" + std::to_string(kernels_.size()); }
  int add(Kernel kernel) {
    kernels_.push_back(std::move(kernel));
    return static_cast<int>(kernels_.size()) - 1;
  }

  Functions functions_;
  std::vector<Kernel> kernels_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/kernel_source.hpp

#ifndef TENON_BACKEND_SOURCE_KERNEL_SOURCE_HPP
#define TENON_BACKEND_SOURCE_KERNEL_SOURCE_HPP

namespace tenon {

namespace source {

/// The first dtype in a recipe of which a dialect does not speak; `void` if there is none.
template <class D, class T>
using Unspoken = std::conditional_t<(std::is_arithmetic_v<T> ||
                                     HalfType<T>)&&(D::text.has_double || !std::same_as<T, double>),
                                    void, T>;
template <class... T>
struct FirstOf {
  using type = void;
};
template <class T, class... Rest>
struct FirstOf<T, Rest...> {
  using type = T;
};
template <class... Rest>
struct FirstOf<void, Rest...> : FirstOf<Rest...> {};

template <class D, class E>
struct UnspokenIn : FirstOf<> {};
template <class D, ExpressionType E>
struct UnspokenIn<D, E> : FirstOf<Unspoken<D, typename E::value_type>> {};
template <class D, class Op, class... E>
struct UnspokenIn<D, Elementwise<Op, E...>>
    : FirstOf<typename UnspokenIn<D, E>::type...,
              Unspoken<D, typename Elementwise<Op, E...>::value_type>> {};
template <class D, class Op, class E, AxisBits axes, bool keeps>
struct UnspokenIn<D, Fold<Op, E, axes, keeps>> : UnspokenIn<D, E> {};
template <class D, class E, PackedMap order, Spec S>
struct UnspokenIn<D, Moved<E, order, S>> : UnspokenIn<D, E> {};

template <class D, class E>
using UnspokenDtype = typename UnspokenIn<D, E>::type;

/// A recipe as evaluation computes it, where something in it is of a 16-bit dtype.
template <class E>
auto as_evaluated(E const& e) {
  if constexpr (is_rounded<E>) return rounded(e);
  else return e;
}

/// All kernels of a recipe.
template <class D, class E>
Printer printer_of(E const& e) {
  Printer printer(D::text);
  plan(as_evaluated(e), printer);
  return printer;
}

template <class D, class P>
std::string whole_text(P const& printer) {
  std::string text(D::text.prelude);
  text += printer.functions();
  for (auto const& kernel : printer.kernels()) text += kernel.text + "\n";
  return text;
}

}  // namespace source

struct KernelSourceName {
  static constexpr std::string_view name = "kernel_source";
};

/// A language in which kernels are printed: see `backend/source/dialect.hpp`.
template <class D>
concept Dialect = std::same_as<std::remove_cvref_t<decltype(D::text)>, source::Dialect>;

/// A recipe in dtypes of which a dialect speaks: no complex numbers.
template <class X, class D>
concept SpokenIn =
    Expression<X> && std::is_void_v<source::UnspokenDtype<D, std::remove_cvref_t<X>>>;

/// The name of the mistake; `void` for none.
template <class T, class Name>
struct UnspokenMistake {
  using type = error::dtype_is_not_supported<spec_of_name<Name>, spec_of_dtype<T>>;
};
template <class Name>
struct UnspokenMistake<void, Name> {
  using type = void;
};
template <Dialect D, class X>
using KernelSourceMistake =
    typename UnspokenMistake<source::UnspokenDtype<D, X>, KernelSourceName>::type;

/// The text of all kernels that evaluating a recipe would run, in order, in the dialect `D`. Static
/// sizes and numbers are in the text; pointers and run-time sizes are parameters. Nothing is
/// computed. JAX: `jit(f).lower(x).as_text()`.
template <Dialect D, SpokenIn<D> X>
std::string kernel_source(X const& recipe) {
  return source::whole_text<D>(source::printer_of<D>(recipe));
}
template <Dialect D, Expression X, class R = KernelSourceMistake<D, X>>
  requires(!SpokenIn<X, D>)
auto kernel_source(X const&) -> R;
template <Dialect D, class X>
auto kernel_source(X const&) -> FirstMistake<X>;

}  // namespace tenon
#endif

// ---- tenon/backend/opencl/dialect.hpp

#ifndef TENON_BACKEND_OPENCL_DIALECT_HPP
#define TENON_BACKEND_OPENCL_DIALECT_HPP

namespace tenon::dialect {

/// OpenCL C 1.2 with doubles, which every device of OpenCL 2 that computes in them compiles.
struct OpenClC {
  static constexpr source::Dialect text{
      .name = "OpenCL C",
      .prelude = R"(#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef float f32;
typedef double f64;
typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef uchar mask;

// A processor has one work item for a long chunk of rows: compilers make vectors of plain loops.
#ifdef ROWS_IN_CHUNKS
static inline i64 first_row(i64 count) {
  return count * (i64)get_global_id(0) / (i64)get_global_size(0);
}
static inline i64 past_row(i64 count) {
  return count * ((i64)get_global_id(0) + 1) / (i64)get_global_size(0);
}
static inline i64 row_step() { return 1; }
#else
static inline i64 first_row(i64 count) { return get_global_id(0); }
static inline i64 past_row(i64 count) { return count; }
static inline i64 row_step() { return get_global_size(0); }
#endif

// The functions of the language are calls to PoCL, and end vectors; these are instructions.
#if defined(ROWS_IN_CHUNKS) && defined(__clang__)
static inline f32 sqrt_f32(f32 x) { return __builtin_sqrtf(x); }
static inline f64 sqrt_f64(f64 x) { return __builtin_sqrt(x); }
static inline f32 floor_f32(f32 x) { return __builtin_floorf(x); }
static inline f64 floor_f64(f64 x) { return __builtin_floor(x); }
static inline f32 round_f32(f32 x) { return __builtin_rintf(x); }
static inline f64 round_f64(f64 x) { return __builtin_rint(x); }
static inline f32 abs_f32(f32 x) { return __builtin_fabsf(x); }
static inline f64 abs_f64(f64 x) { return __builtin_fabs(x); }
static inline f32 copysign_f32(f32 x, f32 y) { return __builtin_copysignf(x, y); }
static inline f64 copysign_f64(f64 x, f64 y) { return __builtin_copysign(x, y); }
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return __builtin_fmaf(x, y, z); }
static inline f64 fma_f64(f64 x, f64 y, f64 z) { return __builtin_fma(x, y, z); }
#else
static inline f32 sqrt_f32(f32 x) { return sqrt(x); }
static inline f64 sqrt_f64(f64 x) { return sqrt(x); }
static inline f32 floor_f32(f32 x) { return floor(x); }
static inline f64 floor_f64(f64 x) { return floor(x); }
static inline f32 round_f32(f32 x) { return rint(x); }
static inline f64 round_f64(f64 x) { return rint(x); }
static inline f32 abs_f32(f32 x) { return fabs(x); }
static inline f64 abs_f64(f64 x) { return fabs(x); }
static inline f32 copysign_f32(f32 x, f32 y) { return copysign(x, y); }
static inline f64 copysign_f64(f64 x, f64 y) { return copysign(x, y); }
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return fma(x, y, z); }
static inline f64 fma_f64(f64 x, f64 y, f64 z) { return fma(x, y, z); }
#endif
static inline u32 bits_f32(f32 x) { return as_uint(x); }
static inline u64 bits_f64(f64 x) { return as_ulong(x); }
static inline f32 from_bits_f32(u32 b) { return as_float(b); }
static inline f64 from_bits_f64(u64 b) { return as_double(b); }
static inline u32 multiply_high_u32(u32 a, u32 b) { return mul_hi(a, b); }
static inline u64 multiply_high_u64(u64 a, u64 b) { return mul_hi(a, b); }

)",
      .function = "static inline $0 $1($2)",
      .parameter = "$0 $1",
      .table = "__constant u64 $0[$1] = {$2};",
      .kernel = "__kernel void $0($1)",
      .result = "__global $0* restrict $1",
      .operand = "__global $0 const* restrict $1",
      .size = "$0 $1",
      .rows =
          "for (i64 row = first_row($0), past = past_row($0), step = row_step(); row < past; "
          "row += step)",
      .group_kernel = "__kernel __attribute__((reqd_work_group_size($2, 1, 1))) void $0($1)",
      .group = "(i64)get_group_id(0)",
      .groups = "(i64)get_num_groups(0)",
      .member = "(i64)get_local_id(0)",
      .shared = "__local $0 $1[$2];",
      .barrier = "barrier(CLK_LOCAL_MEM_FENCE);"};
};

}  // namespace tenon::dialect
#endif

// ---- tenon/backend/source/occurrence.hpp

#ifndef TENON_BACKEND_SOURCE_OCCURRENCE_HPP
#define TENON_BACKEND_SOURCE_OCCURRENCE_HPP

namespace tenon::source {

/// The place of a thing among others; past the end where it is not among them.
template <class T>
std::size_t place_of(std::vector<T> const& all, T const& thing) {
  return static_cast<std::size_t>(std::ranges::find(all, thing) - all.begin());
}

/// What a recipe is beside its type: its sizes, and which of its leaves and numbers are equal. All
/// that a kernel's text and its run-time sizes depend on, in the order of the nodes; and what is
/// handed to a kernel anew each time.
struct Occurrence {
  using Number = std::array<std::byte, 8>;

  Tape const* tape = nullptr;  ///< On which adjoints are asked for; null: a value is.
  std::vector<std::int64_t> key{};
  std::vector<void const*> memories{};
  std::vector<Number> scalars{};
  std::vector<TapeMark> marks{};  ///< Of leaves whose adjoints are asked for.

  template <class E>
  void note(E const& e) {
    if constexpr (is_constant<E>) note_number(bytes_of(e.value));
    if constexpr (Leaf<E>) {
      note_place(memories, static_cast<void const*>(e.data()));
      note_all(e.sizes());
    }
    if constexpr (TensorType<E>) note_mark(e.mark());
    if constexpr (is_view<E>) note_all(e.strides());
    each_number(e, [&](std::int64_t number) { key.push_back(number); });
    each_operand(e, [&](auto const& operand) { note(operand); });
  }

  /// Keeps the memory of the leaves of a recipe while a recording of its kernels lives.
  template <DistantDevice D, class E>
  static void hold(DeviceLender<D>& lender, E const& e) {
    if constexpr (TensorType<E>) {
      if constexpr (std::same_as<typename E::device, D>) lender.hold(e.storage().buffer);
    }
    each_operand(e, [&](auto const& operand) { hold(lender, operand); });
  }

  void note_all(Sizes const& numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); }

 private:
  template <class T>
  static Number bytes_of(T value) {
    Number bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }

  /// A backward kernel may have a number in its text: that of a mean.
  void note_number(Number const& number) {
    note_place(scalars, number);
    if (tape == nullptr) return;
    key.push_back(0);
    std::memcpy(&key.back(), number.data(), sizeof number);
  }
  void note_mark(TapeMark mark) {
    if (tape == nullptr) return;
    if (tape->is_wanted(mark)) note_place(marks, mark);
    else key.push_back(-1);
  }

  /// A thing joins those seen before, if it is new; the key has its place.
  template <class T>
  void note_place(std::vector<T>& seen, T const& thing) {
    std::size_t const place = place_of(seen, thing);
    if (place == seen.size()) seen.push_back(thing);
    key.push_back(static_cast<std::int64_t>(place));
  }
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/adjoints.hpp

#ifndef TENON_BACKEND_SOURCE_ADJOINTS_HPP
#define TENON_BACKEND_SOURCE_ADJOINTS_HPP

namespace tenon::source {

/// Where the backward kernels of a recipe add up: the adjoints of its leaves on the tape, and the
/// parts of those that several rows add to.
template <DistantDevice D>
class DeviceAdjoints {
 public:
  DeviceAdjoints(Tape& tape, Occurrence const& own) : tape_(&tape), own_(&own) {}

  /// The memory of an argument that is an adjoint.
  template <class Adjoint>
  void const* memory_of(Adjoint const& adjoint) {
    if (adjoint.is == Argument::Is::parts) return new_parts(adjoint);
    if (adjoint.is == Argument::Is::summed_parts) return parts_of(adjoint.mark);
    return tape_->gradient_of<D>(own_->marks[adjoint.mark], adjoint.elements,
                                 static_cast<std::size_t>(adjoint.element_bytes));
  }

 private:
  /// Zeros for all parts of an adjoint.
  template <class Adjoint>
  void const* new_parts(Adjoint const& adjoint) {
    std::int64_t const bytes = adjoint.parts * adjoint.elements * adjoint.element_bytes;
    SharedBuffer buffer = DeviceBlocks<D>::instance().take(static_cast<std::size_t>(bytes));
    D::clear(buffer.data(), buffer.bytes());
    parts_.emplace_back(adjoint.mark, std::move(buffer));
    return parts_.back().second.data();
  }
  /// The last that were made for a leaf.
  void const* parts_of(std::size_t mark) const {
    auto last = parts_.rbegin();
    while (last->first != mark) ++last;
    return last->second.data();
  }

  Tape* tape_;
  Occurrence const* own_;
  std::vector<std::pair<std::size_t, SharedBuffer>> parts_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/dealing.hpp

#ifndef TENON_BACKEND_SOURCE_DEALING_HPP
#define TENON_BACKEND_SOURCE_DEALING_HPP

/// How a backward kernel deals out its rows, so that no two that run at a time add to one element.
namespace tenon::source {

/// Some axes of the rows are dealt out one by one, the others in chunks: what several rows add to
/// has as many parts as there are chunks. All of it follows from the sizes alone.
struct Dealing {
  std::array<bool, max_rank> kept{};  ///< The axes that all adjoints follow.
  bool has_chunks = false;            ///< Else every row is alone.
  std::int64_t chunks = 1;
  bool is_static = false;         ///< Is their number written down?
  std::vector<bool> is_shared{};  ///< Adjoints that several rows add to.

  bool has_parts(std::size_t adjoint) const {
    return chunks > 1 && adjoint < is_shared.size() && is_shared[adjoint];
  }
  /// How many rows are dealt out where there are chunks.
  std::int64_t count(Quantities const& sizes, int rank) const {
    std::int64_t rows = chunks;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
      rows *= kept[i] ? sizes[i].number : 1;
    return rows;
  }
};

/// So many rows at a time keep a large machine busy; more chunks than this would take longer to be
/// added up than they save.
inline constexpr std::int64_t enough_rows = 1 << 14, most_chunks = 1 << 10;
/// The memory for parts: at most so many elements. (A table of embeddings is added to by columns.)
inline constexpr std::int64_t most_parts = 1 << 24;

/// How many chunks there are of the axes that are not kept.
inline std::int64_t chunks_for(Dealing const& dealing, Quantities const& sizes, int rank,
                               std::int64_t shared_elements) {
  std::int64_t kept = 1, others = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
    (dealing.kept[i] ? kept : others) *= sizes[i].number;
  auto const at_least_one = [](std::int64_t n) { return std::max<std::int64_t>(1, n); };
  std::int64_t const wanted = std::min(most_chunks, enough_rows / at_least_one(kept));
  std::int64_t const room = most_parts / at_least_one(shared_elements);
  return at_least_one(std::min({wanted, others, room}));
}

/// How rows of such sizes are dealt out that add to such adjoints.
inline Dealing dealing_for(LeafAdjoints const& adjoints, Quantities const& sizes, int rank) {
  Dealing dealing;
  dealing.kept.fill(true);
  dealing.is_static = true;
  std::int64_t shared_elements = 0;
  for (auto const& entry : adjoints.all()) {
    bool is_shared = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      if (sizes[i].is_one() || entry.follows(i)) continue;
      is_shared = true;
      dealing.kept[i] = false;
    }
    dealing.is_shared.push_back(is_shared);
    dealing.has_chunks = dealing.has_chunks || is_shared;
    shared_elements += is_shared ? entry.adjoint.elements : 0;
    for (Quantity const& size : entry.adjoint.leaf.sizes)
      dealing.is_static = dealing.is_static && size.variable < 0;
  }
  for (Quantity const& size : sizes) dealing.is_static = dealing.is_static && size.variable < 0;
  dealing.chunks = chunks_for(dealing, sizes, rank, shared_elements);
  return dealing;
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/reverse.hpp

#ifndef TENON_BACKEND_SOURCE_REVERSE_HPP
#define TENON_BACKEND_SOURCE_REVERSE_HPP

namespace tenon::source {

/// What is known while a kernel is printed that passes adjoints back.
class Reverse {
 public:
  Reverse(Walk& walk, Wanted const& wanted, Dealing const& dealing)
      : walk_(&walk), wanted_(&wanted), dealing_(&dealing), outer_(walk.listing, 0) {}
  Reverse(Reverse const&) = delete;

  int own_product = tenon::own_product;  ///< The kernel that computed what a recipe reads as such.

  Walk& walk() { return *walk_; }
  Listing& listing() { return walk_->listing; }
  int block() const { return block_; }
  LeafAdjoints const& adjoints() const { return adjoints_; }
  Quantities const& sizes() const { return sizes_; }
  int rank() const { return rank_; }
  Quantity const& chunks() const { return chunks_; }
  bool wants(TapeMark mark) const { return (*wanted_)(mark); }

  /// Opens the loops over rows; says in them what `say(places)` says.
  template <class Say>
  void rows(Quantities const& sizes, int rank, Say const& say) {
    std::copy_n(sizes.begin(), rank, sizes_.begin());
    rank_ = rank;
    Places const at =
        dealing_->has_chunks ? open_chunks() : open_rows(*walk_, sizes, rank, 0, outer_);
    if (!dealing_->has_chunks) dealt_ = outer_.block();
    (void)listing().within(dealt_, [&] { return within(outer_, [&] { say(at); }), 0; });
  }

  /// Says something in loops that are open, and closes them: before each what waits for its end.
  template <class Say>
  void within(Loops& loops, Say const& say) {
    int const around = block_;
    block_ = loops.block();
    say();
    loops.close([&](int block) { finish(block); });
    block_ = around;
  }

  /// Adds a share of an adjoint to a sum in a block; at the end of the block, deepest folds first,
  /// the sum is passed on by `pass(sum)`.
  template <class T, class Pass>
  void wait(Identity const& key, int depth, int block, Symbol<T> const& share, Pass const& pass) {
    auto known = std::ranges::find(waiting_, key, &Waiting::key);
    if (known == waiting_.end()) {
      int const sum = listing().variable(type_text<T>, literal(T(0)), block);
      waiting_.push_back({key, depth, block, sum, pass});
      known = waiting_.end() - 1;
    }
    add(block_, listing().text(known->sum), share.text());
  }

  /// Adds to an element of the adjoint of a leaf; of one that the inner loops do not change, once.
  template <class T>
  void add_to_leaf(LeafAdjoint const& adjoint, Following const& rows, IndexText const& index,
                   Identity const& element, Symbol<T> const& share) {
    auto& entry = adjoints_.find(adjoint);
    entry.follow(rows);
    std::string const to = element_text(adjoints_.number(entry), index.text);
    int const block = listing().innermost(index.names);
    if (block == block_) return add(block_, to, share.text());
    wait(element, -1, block, share, [this, to](int sum) { add(block_, to, listing().text(sum)); });
  }

 private:
  struct Waiting {
    Identity key;
    int depth;
    int block;
    int sum;
    std::function<void(int)> pass;
  };

  void add(int block, std::string const& to, std::string const& share) {
    listing().line(block, to + " += " + share + ";");
  }

  /// What waits for the end of a block. Those that are folded deeper come first: they add to the
  /// others.
  void finish(int block) {
    for (block_ = block;;) {
      auto next = waiting_.end();
      for (auto i = waiting_.begin(); i != waiting_.end(); ++i) {
        if (i->block == block && (next == waiting_.end() || i->depth > next->depth)) next = i;
      }
      if (next == waiting_.end()) return;
      Waiting const done = std::move(*next);
      waiting_.erase(next);
      done.pass(done.sum);
    }
  }

  std::string element_text(std::size_t adjoint, std::string const& index) {
    LeafAdjoint const& own = adjoints_.all()[adjoint].adjoint;
    if (!dealing_->has_parts(adjoint)) return own.name + "[" + index + "]";
    std::string const elements = product_text(walk_->variables, own.leaf.sizes, 0, max_rank);
    bool const is_product = elements.find('*') != std::string::npos;
    std::string const stride = is_product ? "(" + elements + ")" : elements;
    return own.name + "[" + chunk_ + " * " + stride + " + " + index + "]";
  }

  /// The axes that are kept, or the others, and 1 for the rest.
  Quantities sizes_of_axes(bool are_kept) const {
    Quantities result{};
    for (std::size_t i = 0; i < max_rank; ++i)
      if (dealing_->kept[i] == are_kept) result[i] = sizes_[i];
    return result;
  }
  std::string count_text(Quantities const& sizes) {
    return product_text(walk_->variables, sizes, 0, max_rank);
  }

  /// Finds the places along some axes from the number of the row among them.
  void unravel(int number, Quantities const& sizes, bool are_kept, Places& at) {
    Indexing const indexing{listing(), walk_->variables, {rank_, number, sizes}};
    auto const is_one = [](Quantity const& size) { return size.is_one(); };
    bool const is_only = std::ranges::count_if(sizes, is_one) == max_rank - 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank_); ++i) {
      if (dealing_->kept[i] != are_kept || sizes[i].is_one()) continue;
      at[i] = {{is_only ? number : indexing.name(Rows::term(static_cast<int>(i)))}};
    }
  }

  /// Rows that are dealt out are chunks of rows: each walks every so manieth row.
  Places open_chunks() {
    Listing& l = listing();
    chunks_ = {dealing_->chunks};
    if (!dealing_->is_static) chunks_ = walk_->variables.fresh("chunks", dealing_->chunks);
    Quantities const kept = sizes_of_axes(true), others = sizes_of_axes(false);
    std::string const chunks = walk_->variables.text(chunks_), columns = count_text(kept);
    std::string const count = columns == "1" ? chunks : chunks + " * " + columns;
    int const header = outer_.enter_header(filled(l.functions().dialect().rows, {count}));
    int const row = l.parameter("row", header);
    bool const is_product = columns.find('*') != std::string::npos;
    std::string const by = is_product ? "(" + columns + ")" : columns;
    int const chunk = columns == "1" ? row : l.value("i64", "row / " + by, {row});
    int const column = columns == "1" ? row : l.value("i64", "row % " + by, {row});
    chunk_ = l.text(chunk);
    dealt_ = header;
    Places at{};
    unravel(column, kept, true, at);
    int const own = outer_.enter_header("for (i64 r = " + chunk_ + "; r < " + count_text(others) +
                                        "; r += " + chunks + ")");
    unravel(l.parameter("r", own), others, false, at);
    return at;
  }

  Walk* walk_;
  Wanted const* wanted_;
  Dealing const* dealing_;
  Loops outer_;
  int block_ = 0;
  int dealt_ = 0;
  Quantities sizes_{};
  int rank_ = 0;
  Quantity chunks_{};
  std::string chunk_;
  LeafAdjoints adjoints_;
  std::vector<Waiting> waiting_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/pull.hpp

#ifndef TENON_BACKEND_SOURCE_PULL_HPP
#define TENON_BACKEND_SOURCE_PULL_HPP

/// What a node passes back to its operands, in names: the values that its derivative asks for are
/// said anew where they are asked for.
namespace tenon::source {

/// Does a recipe lead to an adjoint that is asked for?
template <class E>
bool leads_back(Reverse const& reverse, E const& e) {
  if constexpr (!FloatType<typename E::value_type> || is_view<E>) return false;
  else if constexpr (TensorType<E>) return reverse.wants(e.mark());
  else if constexpr (is_earlier<E>) return true;
  else {
    bool leads = false;
    each_operand(e, [&](auto const& operand) { leads = leads || leads_back(reverse, operand); });
    return leads;
  }
}

/// A share of the adjoint of a recipe's element.
template <class E>
using Share = Symbol<Computed<typename E::value_type>>;

/// How many folds stand one within the other.
template <class E>
int fold_depth_of(E const& e) {
  int depth = 0;
  each_operand(e, [&](auto const& operand) { depth = std::max(depth, fold_depth_of(operand)); });
  return depth + (is_fold<E> ? 1 : 0);
}

/// The adjoint of a leaf.
template <Leaf E>
LeafAdjoint adjoint_of(Reverse& reverse, E const& leaf) {
  LeafAdjoint adjoint{reverse.walk().memories[reverse.walk().memories.find(leaf)]};
  if constexpr (TensorType<E>) adjoint.mark = leaf.mark();
  adjoint.elements = count(leaf.sizes(), E::shape.rank);
  using T = Computed<typename E::value_type>;
  adjoint.leaf.type = type_text<T>;
  adjoint.element_bytes = sizeof(T);
  return adjoint;
}

/// The leaf itself, where it does not stand for the product that its kernel would compute.
template <Leaf E>
E materialised(Reverse const& reverse, E leaf) {
  if constexpr (is_earlier<E>)
    if (is_own_product(leaf)) leaf.number = reverse.own_product;
  return leaf;
}

template <class T>
void pull_back(Reverse&, ConstantNode<T> const&, Places const&, Symbol<T> const&) {}

template <Leaf E>
void pull_back(Reverse& reverse, E const& given, Places const& at, Share<E> const& share) {
  if constexpr (!is_view<E>) {
    Walk& walk = reverse.walk();
    E const leaf = materialised(reverse, given);
    LeafAdjoint const adjoint = adjoint_of(reverse, leaf);
    std::size_t const memory = walk.memories.find(leaf);
    IndexText const index =
        row_major_index(walk.indexing(), walk.memories[memory].sizes, E::shape.rank, at);
    Following const rows = following({static_cast<std::int64_t>(memory)}, E::shape.rank, at);
    reverse.add_to_leaf(adjoint, rows, index, at_places({memory}, at), share);
  }
}

template <class E, Spec S, bool by_one>
void pull_back(Reverse& reverse, Stepped<E, S, by_one> const& e, Places const& at,
               Share<E> const& share) {
  constexpr int rank = Stepped<E, S, by_one>::shape.rank;
  Walk& walk = reverse.walk();
  LeafAdjoint const adjoint = adjoint_of(reverse, e.operand);
  IndexText const index =
      strided_index(walk.indexing(), steps_of(walk, e), rank, at, e.steps.start);
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(walk.memories.find(e.operand)), -1,
                                    e.steps.start};
  numbers.insert(numbers.end(), e.steps.along.begin(), e.steps.along.end());
  Following rows{};
  if (are_apart(e.steps.along, e.sizes(), rank)) rows = following(numbers, rank, at);
  Identity const element(numbers.begin(), numbers.end());
  reverse.add_to_leaf(adjoint, rows, index, at_places(element, at), share);
}

/// One of the partial derivatives of an op.
template <std::size_t k, class P>
auto slope_of(P const& partials) {
  if constexpr (k == 0) return partials.p0;
  else if constexpr (k == 1) return partials.p1;
  else return partials.p2;
}
template <class Op, std::size_t k, class... V>
using SlopeOf = decltype(slope_of<k>(Op::d(std::declval<V>()...)));

/// The partial derivative of an op for operand k: what is long is a function, as the op is.
template <class Op, std::size_t k, class... V>
auto slope(V const&... x) {
  using P = SlopeOf<Op, k, V...>;
  if constexpr (!requires { typename P::value_type; }) return P{};
  else {
    std::string const name = std::string(Op::name).append("_slope").append(k == 0 ? "" : "_of_");
    return called<typename P::value_type>(
        k == 0 ? name : name + parameter_text(k),
        [](auto const&... v) { return slope_of<k>(Op::d(v...)); }, x...);
  }
}

/// Passes the share of an adjoint on to operand k of a map, in the operand's dtype.
template <std::size_t k, class Node, class E, class P, class T>
void pull_operand(Reverse& reverse, E const& operand, Places const& at, P const& partial,
                  Symbol<T> const& adjoint) {
  using X = Computed<typename E::value_type>;
  if constexpr (std::floating_point<X> && !std::same_as<P, op::Zero>) {
    if (!leads_back(reverse, operand)) return;
    Symbol<X> const share = convert<X>(op::pulled(partial, adjoint));
    pull_back(reverse, operand, operand_places<k, Node, E>(at), share);
  }
}

template <class Op, class R, class... T>
concept HasSymbolDerivative =
    FloatType<R> && requires(Symbol<T>... x, Symbol<R> y) { Op::d(x..., y); };

/// Passes the adjoint of a map on to operand k, where that leads to something.
template <std::size_t k, class Node, class E, class T, class... V>
void pull_map_operand(Reverse& reverse, E const& operand, Places const& at,
                      Symbol<T> const& adjoint, V const&... x) {
  auto const partial = slope<typename Node::op, k>(x...);
  pull_operand<k, Node>(reverse, operand, at, partial, adjoint);
}

template <class Op, class A, class T>
void pull_back(Reverse& reverse, Elementwise<Op, A> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using Node = Elementwise<Op, A>;
  using R = typename Node::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename A::value_type>) {
    if (!leads_back(reverse, e.a)) return;
    auto const a = operand_of<0, Node>(reverse.walk(), e.a, at);
    pull_map_operand<0, Node>(reverse, e.a, at, adjoint, a, op_of<Node>(a));
  }
}
template <class Op, class A, class B, class T>
void pull_back(Reverse& reverse, Elementwise<Op, A, B> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using Node = Elementwise<Op, A, B>;
  using R = typename Node::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename A::value_type, typename B::value_type>) {
    auto const a = operand_of<0, Node>(reverse.walk(), e.a, at);
    auto const b = operand_of<1, Node>(reverse.walk(), e.b, at);
    auto const y = op_of<Node>(a, b);
    pull_map_operand<0, Node>(reverse, e.a, at, adjoint, a, b, y);
    pull_map_operand<1, Node>(reverse, e.b, at, adjoint, a, b, y);
  }
}
template <class Op, class A, class B, class C, class T>
void pull_back(Reverse& reverse, Elementwise<Op, A, B, C> const& e, Places const& at,
               Symbol<T> const& adjoint) {
  using Node = Elementwise<Op, A, B, C>;
  using R = typename Node::value_type;
  if constexpr (HasSymbolDerivative<Op, R, typename A::value_type, typename B::value_type,
                                    typename C::value_type>) {
    auto const a = operand_of<0, Node>(reverse.walk(), e.a, at);
    auto const b = operand_of<1, Node>(reverse.walk(), e.b, at);
    auto const c = operand_of<2, Node>(reverse.walk(), e.c, at);
    auto const y = op_of<Node>(a, b, c);
    pull_map_operand<0, Node>(reverse, e.a, at, adjoint, a, b, c, y);
    pull_map_operand<1, Node>(reverse, e.b, at, adjoint, a, b, c, y);
    pull_map_operand<2, Node>(reverse, e.c, at, adjoint, a, b, c, y);
  }
}

template <class E, PackedMap order, Spec S>
void pull_back(Reverse& reverse, Moved<E, order, S> const& e, Places const& at,
               Share<E> const& share) {
  pull_back(reverse, e.operand, places_below(reverse.walk(), e, at), share);
}

/// A choice from a table adds where it was chosen.
template <class E>
  requires requires(E const& e) { e.table, e.ids; }
void pull_back(Reverse& reverse, E const& e, Places const& at, Share<E> const& share) {
  if (leads_back(reverse, e.table))
    pull_back(reverse, e.table, places_below(reverse.walk(), e, at), share);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/pull_folds.hpp

#ifndef TENON_BACKEND_SOURCE_PULL_FOLDS_HPP
#define TENON_BACKEND_SOURCE_PULL_FOLDS_HPP

/// Folds and products, backward: loops over what was folded.
namespace tenon::source {

/// Other folds over all values that a fold is over: what the derivatives of folds ask for.
template <class FoldOp, class E, AxisBits axes, bool keeps>
struct OverFold {
  using T = typename E::value_type;

  Walk& walk;
  Fold<FoldOp, E, axes, keeps> const& e;
  Places const& at;
  int block;

  template <class Op, class Of>
  Symbol<T> operator()(Op, Of const& of) const {
    Listing& l = walk.listing;
    Total<Op, T> total(l, block, is_longer_than_a_block<E, axes>());
    Loops loops(l, block);
    Symbol<T> const x = element_of(walk, e.operand, folded_places(walk, e, at, loops));
    total.add(l.within(loops.block(), [&] { return of(x); }), loops.block());
    loops.close();
    total.finish();
    return Symbol<T>(l, total.name());
  }
};

/// Passes the adjoint of a fold, which is complete, to all that was folded. (A sum asks for no
/// values.)
template <class Op, class E, AxisBits axes, bool keeps>
void pull_fold(Reverse& reverse, Fold<Op, E, axes, keeps> const& e, Places const& at,
               Symbol<typename E::value_type> const& adjoint) {
  using T = typename E::value_type;
  Walk& walk = reverse.walk();
  int const block = reverse.block();
  Loops loops(walk.listing, block);
  if constexpr (std::same_as<Op, op::SumFold>) {
    Places const own = folded_places(walk, e, at, loops);
    reverse.within(loops, [&] { pull_back(reverse, e.operand, own, adjoint); });
  } else {
    Symbol<T> const y = element_of(walk, e, at);
    OverFold<Op, E, axes, keeps> const over{walk, e, at, block};
    auto const share = Op::share(adjoint, y, over);
    Places const own = folded_places(walk, e, at, loops);
    reverse.within(loops, [&] {
      Symbol<T> const x = element_of(walk, e.operand, own);
      pull_back(reverse, e.operand, own, Op::pull(share, x, y));
    });
  }
}

/// The shares of a fold's adjoint are added up; equal folds have one.
template <class Op, class E, AxisBits axes, bool keeps>
void pull_back(Reverse& reverse, Fold<Op, E, axes, keeps> const& e, Places const& at,
               Symbol<typename Fold<Op, E, axes, keeps>::value_type> const& share) {
  using T = typename E::value_type;
  if constexpr (op::SmoothFold<Op> && std::floating_point<T>) {
    Walk& walk = reverse.walk();
    reverse.wait(at_places(identity(walk, e), at), fold_depth_of(e), block_of(walk, at), share,
                 [&reverse, &e, at](int sum) {
                   pull_fold(reverse, e, at, Symbol<T>(reverse.listing(), sum));
                 });
  }
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/pull_product.hpp

#ifndef TENON_BACKEND_SOURCE_PULL_PRODUCT_HPP
#define TENON_BACKEND_SOURCE_PULL_PRODUCT_HPP

/// Products backward: the adjoint of one factor is a product of the result's and the other factor.
namespace tenon::source {

/// An element of the adjoint that a kernel passes back.
template <class E>
Symbol<typename E::value_type> adjoint_element(Reverse& reverse, E const& e, Places const& at) {
  using T = typename E::value_type;
  Walk& walk = reverse.walk();
  IndexText const index = row_major_index(walk.indexing(), sizes_of(walk, e), E::shape.rank, at);
  return {walk.listing,
          walk.listing.value(type_text<T>, "adjoint[" + index.text + "]", index.names)};
}

/// The labels of a factor, each once, as its axes come.
inline std::vector<std::size_t> labels_in(AxisMap const& axes) {
  std::vector<std::size_t> labels;
  for (auto const label : axes) {
    auto const own = static_cast<std::size_t>(label);
    if (label >= 0 && std::ranges::find(labels, own) == labels.end()) labels.push_back(own);
  }
  return labels;
}

/// An element of a factor's adjoint: summed over all labels that have no place yet.
template <bool is_left, class A, class B, class Rule>
auto factor_adjoint(Reverse& reverse, Contract<A, B, Rule> const& e,
                    std::array<Place, max_labels> places) {
  using T = typename A::value_type;
  Contraction const& rule = Rule::contraction;
  Walk& walk = reverse.walk();
  auto const sizes = label_quantities(walk, e);
  auto const own = labels_in(is_left ? rule.left : rule.right);
  Total<op::SumFold, T> total(walk.listing, reverse.block(), false);
  Loops loops(walk.listing, reverse.block());
  for (std::size_t l = 0; l < static_cast<std::size_t>(rule.labels); ++l) {
    if (std::ranges::find(own, l) == own.end())
      places[l] = loops.enter(walk.variables.text(sizes[l]));
  }
  Symbol<T> const adjoint = adjoint_element(reverse, e, labelled_places(rule.out, places));
  Symbol<T> const other = [&] {
    if constexpr (is_left) return element_of(walk, e.b, labelled_places(rule.right, places));
    else return element_of(walk, e.a, labelled_places(rule.left, places));
  }();
  total.add(adjoint * other, loops.block());
  loops.close();
  return Symbol<T>(walk.listing, total.name());
}

/// Passes the adjoint of a product back to one factor.
template <bool is_left, class A, class B, class Rule>
void pull_factor(Reverse& reverse, Contract<A, B, Rule> const& e) {
  auto const& factor = [&]() -> auto const& {
    if constexpr (is_left) return e.a;
    else return e.b;
  }();
  constexpr AxisMap axes = is_left ? Rule::contraction.left : Rule::contraction.right;
  if (!leads_back(reverse, factor)) return;
  auto const own = labels_in(axes);
  auto const all = label_quantities(reverse.walk(), e);
  Quantities sizes{};
  for (std::size_t i = 0; i < own.size(); ++i) sizes[i] = all[own[i]];
  reverse.rows(sizes, static_cast<int>(own.size()), [&](Places const& rows) {
    std::array<Place, max_labels> places{};
    for (std::size_t i = 0; i < own.size(); ++i) places[own[i]] = rows[i];
    auto const share = factor_adjoint<is_left>(reverse, e, places);
    pull_back(reverse, factor, labelled_places(axes, places), share);
  });
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/pull_whole.hpp

#ifndef TENON_BACKEND_SOURCE_PULL_WHOLE_HPP
#define TENON_BACKEND_SOURCE_PULL_WHOLE_HPP

/// The adjoint of all elements of a recipe, row by row.
namespace tenon::source {

/// Where the result of a fold is that an element of the operand went into.
template <class Op, class E, AxisBits axes, bool keeps>
Places result_places(Fold<Op, E, axes, keeps> const&, Places const& at) {
  Places own{};
  for (std::size_t i = 0, to = 0; i < static_cast<std::size_t>(E::shape.rank); ++i) {
    bool const folds = has_axis(axes, static_cast<int>(i));
    if (!folds) own[to] = at[i];
    to += folds && !keeps ? 0 : 1;
  }
  return own;
}

/// Is a recipe a sum, or a sum times or divided by a number? Its backward asks for no sum.
template <class E>
inline constexpr bool ends_in_sum = false;
template <class E, AxisBits axes, bool keeps>
inline constexpr bool ends_in_sum<Fold<op::SumFold, E, axes, keeps>> = true;
template <class Op, class A, class T>
inline constexpr bool ends_in_sum<Elementwise<Op, A, ConstantNode<T>>> =
    ends_in_sum<A> && (std::same_as<Op, op::Mul> || std::same_as<Op, op::Div>);

/// Passes the adjoint of all elements back, row by row as they were computed; `adjoint(at)` is that
/// of one.
template <class E, class Adjoint>
void pull_rows(Reverse& reverse, E const& e, Adjoint const& adjoint) {
  constexpr int rank = E::shape.rank, row_axes = has_fold<E> ? wanted_row<E> : 0;
  Quantities const sizes = sizes_of(reverse.walk(), e);
  reverse.rows(sizes, rank - row_axes, [&](Places const& rows) {
    Loops loops(reverse.listing(), reverse.block());
    Places at = rows;
    for (std::size_t i = rank - row_axes; i < static_cast<std::size_t>(rank); ++i)
      at[i] = loops.enter(reverse.walk().variables.text(sizes[i]));
    reverse.within(loops, [&] { pull_back(reverse, e, at, adjoint(at)); });
  });
}

/// The same; every element that is summed has the adjoint of the sum, so that all of them are rows.
template <class E, class Adjoint>
void pull_to_rows(Reverse& reverse, E const& e, Adjoint const& adjoint) {
  using T = typename E::value_type;
  if constexpr (!ends_in_sum<E>) {
    pull_rows(reverse, e, adjoint);
  } else if constexpr (is_fold<E>) {
    pull_to_rows(reverse, e.operand,
                 [&](Places const& at) { return adjoint(result_places(e, at)); });
  } else {
    Symbol<T> const none(T(0)), number = element_of(reverse.walk(), e.b, Places());
    auto const slope = E::op::d(none, number, none).p0;
    pull_to_rows(reverse, e.a, [&](Places const& at) { return op::pulled(slope, adjoint(at)); });
  }
}

/// Passes the adjoint that a kernel is given back to the leaves of a recipe.
template <class E>
void pull_whole(Reverse& reverse, E const& e) {
  pull_to_rows(reverse, e, [&](Places const& at) { return adjoint_element(reverse, e, at); });
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/tiling.hpp

#ifndef TENON_BACKEND_SOURCE_TILING_HPP
#define TENON_BACKEND_SOURCE_TILING_HPP

/// Products in tiles: which part of a result a group of work items computes.
namespace tenon::source {

/// A tile, and the members of a group, who lie on it as a rectangle: each computes every `down`-th
/// row and `across`-th column of it. One member alone keeps the sums of its tile in memory.
struct Tiling {
  int rows, columns, depth;
  int down, across;

  int members() const { return down * across; }
  bool is_alone() const { return members() == 1; }
};

/// How many tiles a length takes.
inline std::int64_t tiles_along(std::int64_t length, int tile) {
  return (length + tile - 1) / tile;
}

/// A product over labels, as numbers: `a` are the steps in the left factor, `b` in the right one
/// and `c` in the result; where their first elements lie in their memory.
struct ProductNumbers {
  SortedLabels labels{};
  std::int64_t a_start = 0, b_start = 0, c_start = 0;
  bool is_exchanged = false;  ///< Is the left factor the second operand?

  std::int64_t results() const {
    return labels.batch.count() * labels.rows.count() * labels.columns.count();
  }
};

/// Sorts the labels of a product so that the columns of the result lie next to each other.
inline ProductNumbers numbers_of(LoopLabels const& labels) {
  ProductNumbers numbers{sorted(labels)};
  numbers.is_exchanged = numbers.labels.rows.has_unit();
  if (numbers.is_exchanged) numbers.labels.exchange_operands();
  return numbers;
}

/// Below this a tile is mostly rest: an element for each work item is as good.
inline bool is_worth_tiles(SortedLabels const& labels, bool is_processor) {
  std::int64_t const rows = labels.rows.count(), columns = labels.columns.count();
  std::int64_t const summed = labels.summed.count();
  if (is_processor) return columns >= 4 && summed >= 4 && rows * columns * summed >= 2048;
  return std::min({rows, columns, summed}) >= 8;
}

/// The tiling of a product. On a processor one member has a tile whose factors stay in the first
/// and second cache; elsewhere 256 have 4 x 4 elements each, or 2 x 2 where there are few tiles.
inline Tiling tiling_of(SortedLabels const& labels, bool is_processor) {
  auto const tiles = [&](int rows, int columns) {
    return labels.batch.count() * tiles_along(labels.rows.count(), rows) *
           tiles_along(labels.columns.count(), columns);
  };
  if (!is_processor)
    return tiles(64, 64) < 128 ? Tiling{32, 32, 16, 16, 16} : Tiling{64, 64, 16, 16, 16};
  int rows = 64;
  while (rows > 8 && tiles(rows, 128) < 8) rows /= 2;
  return {rows, 128, 64, 1, 1};
}

/// A label of a product in a kernel's text: its extent, and the steps along it.
struct LabelText {
  Quantity extent, a, b, c;
};

/// Labels that are walked as one.
struct LabelsText {
  std::vector<LabelText> all{};
  Quantity count{};
};

/// Puts numbers in a kernel's text where the types know all sizes, else makes them arguments.
struct NumbersText {
  Variables& variables;
  bool is_static;

  Quantity operator()(std::string const& wish, std::int64_t number) const {
    return is_static || number == 0 || number == 1 ? Quantity{number}
                                                   : variables.fresh(wish, number);
  }
  LabelsText labels(std::string const& name, LoopLabels const& labels) const {
    LabelsText text;
    for (int i = 0; i < labels.size; ++i) {
      LoopLabel const& label = labels[i];
      text.all.push_back({(*this)(name, label.extent), (*this)("a_step", label.a),
                          (*this)("b_step", label.b), (*this)("c_step", label.c)});
    }
    text.count = labels.size == 1 ? text.all[0].extent : (*this)(name, labels.count());
    return text;
  }

  /// Where the `at`-th combination of labels lies, by one of their steps.
  std::string offset(LabelsText const& labels, std::string const& at,
                     Quantity LabelText::*step) const {
    IndexText text;
    std::string inner;
    for (std::size_t i = labels.all.size(); i-- > 0;) {
      LabelText const& label = labels.all[i];
      std::string const extent = variables.text(label.extent);
      std::string place = inner.empty() ? at : at + " / (" + inner + ")";
      if (i > 0) place = "(" + place + ") % " + extent;
      inner += (inner.empty() ? "" : " * ") + extent;
      std::string const by = variables.text(label.*step);
      if (by != "0") text.add("(" + place + ")" + (by == "1" ? "" : " * " + by));
    }
    return text.text.empty() ? "0" : text.text;
  }
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/tile_text.hpp

#ifndef TENON_BACKEND_SOURCE_TILE_TEXT_HPP
#define TENON_BACKEND_SOURCE_TILE_TEXT_HPP

namespace tenon::source {

/// What is said around a product in tiles: where a tile is, its memory, and its results.
class TileText {
 public:
  TileText(Walk& walk, ProductNumbers const& numbers, Tiling const& tiling, bool is_static,
           std::string_view type)
      : walk_(&walk),
        numbers_(numbers),
        tiling_(tiling),
        say_{walk.variables, is_static},
        type_(type),
        batch_(say_.labels("batch_size", numbers.labels.batch)),
        rows_(say_.labels("row_count", numbers.labels.rows)),
        columns_(say_.labels("column_count", numbers.labels.columns)),
        summed_(say_.labels("summed_count", numbers.labels.summed)) {}

  /// Opens the loops over the sums of this work item: `i` and `j` are the row and the column,
  /// `c_row` is where the row begins.
  void open_sums(Loops& loops) {
    std::string const rows = std::to_string(tiling_.rows / tiling_.down);
    std::string const columns = std::to_string(tiling_.columns / tiling_.across);
    bool const alone = tiling_.is_alone();
    loops.enter_header(loop_text("r", alone ? "rows_here" : rows));
    say(loops.block(),
        alone ? "i64 const i = row_0 + r;" : "i64 const i = row_0 + own_row + r * " + down() + ";");
    say(loops.block(), "i64 const c_row = c_0 + " + say_.offset(rows_, "i", &LabelText::c) + ";");
    line_block_ = loops.block();
    loops.enter_header(loop_text("c", alone ? "columns_here" : columns));
    say(loops.block(), alone ? "i64 const j = column_0 + c;"
                             : "i64 const j = column_0 + own_column + c * " + across() + ";");
    if (alone) return;
    loops.enter_header("if (i < " + text(rows_.count) + " && j < " + text(columns_.count) + ")");
  }

  int line_block() const { return line_block_; }
  std::string sum() const {
    return "sum[r * " + std::to_string(tiling_.columns / tiling_.across) + " + c]";
  }
  std::string result_index() const {
    return "c_row + " + say_.offset(columns_, "j", &LabelText::c);
  }
  /// How many groups compute the product.
  Work work() const {
    return {1,
            numbers_.labels.batch.count() * tiles_along(rows_.count.number, tiling_.rows) *
                tiles_along(columns_.count.number, tiling_.columns),
            tiling_.members()};
  }

 protected:
  Listing& listing() { return walk_->listing; }
  Dialect const& dialect() { return listing().functions().dialect(); }
  std::string text(Quantity const& quantity) { return walk_->variables.text(quantity); }
  void say(int block, std::string line) { listing().line(block, std::move(line)); }
  void say(std::string line) { say(block_, std::move(line)); }
  std::string down() const { return std::to_string(tiling_.down); }
  std::string across() const { return std::to_string(tiling_.across); }
  std::string loop_text(std::string const& name, std::string const& count) const {
    std::string const unroll = tiling_.is_alone() ? "" : "#pragma unroll\n  ";
    return unroll + "for (i32 " + name + " = 0; " + name + " < " + count + "; ++" + name + ")";
  }
  /// Which tile this group has, and where it begins.
  void say_places() {
    std::string const rows = text(rows_.count), columns = text(columns_.count);
    auto const tiles = [](std::string const& length, int tile) {
      return "((" + length + " + " + std::to_string(tile - 1) + ") / " + std::to_string(tile) + ")";
    };
    auto const place = [](int tile) { return " * " + std::to_string(tile) + ";"; };
    say("i64 const tile = " + std::string(dialect().group) + ";");
    say("i64 const tiles_down = " + tiles(rows, tiling_.rows) + ";");
    say("i64 const tiles_across = " + tiles(columns, tiling_.columns) + ";");
    say("i64 const row_0 = tile % tiles_down" + place(tiling_.rows));
    say("i64 const column_0 = tile / tiles_down % tiles_across" + place(tiling_.columns));
    say("i64 const batch = tile / (tiles_down * tiles_across);");
    say_start("a", numbers_.a_start, &LabelText::a);
    say_start("b", numbers_.b_start, &LabelText::b);
    say_start("c", numbers_.c_start, &LabelText::c);
  }
  /// Where this member is, or how much of the tile there is.
  void say_own_places() {
    if (tiling_.is_alone()) {
      say_rest("rows_here", text(rows_.count), "row_0", tiling_.rows);
      return say_rest("columns_here", text(columns_.count), "column_0", tiling_.columns);
    }
    say("i32 const member = (i32)" + std::string(dialect().member) + ";");
    say("i32 const own_row = member / " + across() + ", own_column = member % " + across() + ";");
  }
  void say_start(std::string const& name, std::int64_t start, Quantity LabelText::*step) {
    std::string const first = start == 0 ? "" : text(say_("start", start)) + " + ";
    say("i64 const " + name + "_0 = " + first + say_.offset(batch_, "batch", step) + ";");
  }
  /// How much of a tile there is.
  void say_rest(std::string const& name, std::string const& length, std::string const& first,
                int tile) {
    std::string const left = length + " - " + first, most = std::to_string(tile);
    say("i32 const " + name + " = " + left + " < " + most + " ? (i32)(" + left + ") : " + most +
        ";");
  }

  /// The tiles of the factors, and zeros for the sums.
  void say_memory() {
    auto const memory = [&](std::string const& name, int elements) {
      if (tiling_.is_alone()) say(type_ + " " + name + "[" + std::to_string(elements) + "];");
      else say(filled(dialect().shared, {type_, name, std::to_string(elements)}));
    };
    memory("a_tile", pitch(tiling_.rows) * tiling_.depth);
    memory("b_tile", pitch(tiling_.columns) * tiling_.depth);
    std::string const sums = std::to_string(tiling_.rows * tiling_.columns / tiling_.members());
    say(type_ + " sum[" + sums + "];");
    if (!tiling_.is_alone()) say("#pragma unroll");
    say("for (i32 s = 0; s < " + sums + "; ++s) sum[s] = 0;");
  }
  /// One more, so that members who write down a column write to different banks.
  int pitch(int length) const { return tiling_.is_alone() ? length : length + 1; }

  Walk* walk_;
  ProductNumbers numbers_;
  Tiling tiling_;
  NumbersText say_;
  std::string type_;
  LabelsText batch_, rows_, columns_, summed_;
  int block_ = 0, line_block_ = 0;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/tile_loops.hpp

#ifndef TENON_BACKEND_SOURCE_TILE_LOOPS_HPP
#define TENON_BACKEND_SOURCE_TILE_LOOPS_HPP

/// The text of a product in tiles, from the factors to the sums.
namespace tenon::source {

/// A factor of a product: its memory, how its tile is called, and which labels are its own.
struct FactorText {
  std::string memory;
  std::string tile;   ///< "a" or "b".
  std::string first;  ///< Of its rows or columns in this tile of the result.
  LabelsText const* own;
  Quantity LabelText::*step;
  int length;           ///< Of the tile along its own labels.
  bool is_fast_inside;  ///< Do elements lie next to each other along what is summed?
};

/// Says a product, line by line: `for (depth) { stage a; stage b; multiply }`.
class TileLoops : public TileText {
 public:
  using TileText::TileText;

  /// All up to the sums, of factors in memory with such names.
  void say_sums(std::string const& a, std::string const& b) {
    say_places();
    say_own_places();
    say_memory();
    int const loop = listing().open("for (i64 depth_0 = 0; depth_0 < " + text(summed_.count) +
                                        "; depth_0 += " + std::to_string(tiling_.depth) + ")",
                                    0);
    block_ = loop;
    bool const lies_inside_a = numbers_.labels.summed.size > 0 && has_step(&LoopLabel::a);
    bool const lies_inside_b = numbers_.labels.summed.size > 0 && has_step(&LoopLabel::b);
    stage({a, "a", "row_0", &rows_, &LabelText::a, tiling_.rows, lies_inside_a});
    stage({b, "b", "column_0", &columns_, &LabelText::b, tiling_.columns, lies_inside_b});
    barrier();
    if (tiling_.is_alone()) multiply_alone();
    else multiply_together();
    barrier();
    listing().close(loop);
    block_ = 0;
  }

 private:
  bool has_step(std::int64_t LoopLabel::*step) const {
    LoopLabels const& summed = numbers_.labels.summed;
    for (int i = 0; i < summed.size; ++i)
      if (summed[i].*step == 1) return true;
    return false;
  }
  void barrier() {
    if (!tiling_.is_alone()) say(std::string(dialect().barrier));
  }

  /// Brings a part of a factor into its tile: `tile[depth][own]`, zeros where there is no more.
  void stage(FactorText const& factor) {
    std::string const own = std::to_string(factor.length), depth = std::to_string(tiling_.depth);
    bool const turns = factor.is_fast_inside;
    std::string const outer = turns ? "s" : "k", inner = turns ? "k" : "s";
    std::string const slow = turns ? own : depth, fast = turns ? depth : own;
    std::string const members = std::to_string(tiling_.members());
    if (tiling_.is_alone()) {
      int const around = listing().open(loop_text(outer, slow), block_);
      int const loop = listing().open(loop_text(inner, fast), around);
      say_element(loop, factor);
      listing().close(loop);
      return listing().close(around);
    }
    int const loop = listing().open(
        "for (i32 at = member; at < " + own + " * " + depth + "; at += " + members + ")", block_);
    say(loop, "i32 const " + outer + " = at / " + fast + ", " + inner + " = at % " + fast + ";");
    say_element(loop, factor);
    listing().close(loop);
  }
  void say_element(int loop, FactorText const& factor) {
    say(loop, "i64 const own = " + factor.first + " + s, inside = depth_0 + k;");
    say(loop, factor.tile + "_tile[k * " + std::to_string(pitch(factor.length)) + " + s] = own < " +
                  text(factor.own->count) + " && inside < " + text(summed_.count) + " ? " +
                  factor.memory + "[" + factor.tile + "_0 + " +
                  say_.offset(*factor.own, "own", factor.step) + " + " +
                  say_.offset(summed_, "inside", factor.step) + "] : 0;");
  }

  /// Each member adds the products of its rows and columns to its sums, which are in registers.
  void multiply_together() {
    std::string const rows = std::to_string(tiling_.rows / tiling_.down);
    std::string const columns = std::to_string(tiling_.columns / tiling_.across);
    int const inside =
        listing().open("for (i32 k = 0; k < " + std::to_string(tiling_.depth) + "; ++k)", block_);
    say(inside, type_ + " a[" + rows + "], b[" + columns + "];");
    auto const load = [&](std::string const& name, std::string const& count, int length,
                          std::string const& first, std::string const& by) {
      say(inside, "#pragma unroll");
      say(inside, "for (i32 r = 0; r < " + count + "; ++r) " + name + "[r] = " + name +
                      "_tile[k * " + std::to_string(pitch(length)) + " + " + first + " + r * " +
                      by + "];");
    };
    load("a", rows, tiling_.rows, "own_row", down());
    load("b", columns, tiling_.columns, "own_column", across());
    int const row = listing().open(loop_text("r", rows), inside);
    int const column = listing().open(loop_text("c", columns), row);
    say(column, sum() + " = fma_" + type_ + "(a[r], b[c], " + sum() + ");");
    listing().close(column);
    listing().close(row);
    listing().close(inside);
  }

  /// Four rows and four of what is summed at a time: the loop over columns becomes vectors.
  void multiply_alone() {
    std::string const depth = std::to_string(tiling_.depth);
    int const row = listing().open("for (i32 r = 0; r < rows_here; r += 4)", block_);
    int const inside = listing().open(
        "for (i32 k = 0; k < " + depth + " && depth_0 + k < " + text(summed_.count) + "; k += 4)",
        row);
    for (int i = 0; i < 16; ++i) {
      std::string const r = std::to_string(i / 4), k = std::to_string(i % 4);
      say(inside, type_ + " const a" + r + k + " = a_tile[(k + " + k + ") * " +
                      std::to_string(tiling_.rows) + " + r + " + r + "];");
    }
    int const column = listing().open("for (i32 c = 0; c < columns_here; ++c)", inside);
    multiply_column(column, std::to_string(tiling_.columns));
    for (int const block : {column, inside, row}) listing().close(block);
  }
  void multiply_column(int column, std::string const& pitch) {
    for (std::string const k : {"0", "1", "2", "3"})
      say(column, type_ + " const b" + k + " = b_tile[(k + " + k + ") * " + pitch + " + c];");
    for (std::string const i : {"0", "1", "2", "3"}) {
      std::string const place = "sum[(r + " + i + ") * " + pitch + " + c]";
      std::string total = place;
      for (std::string const k : {"0", "1", "2", "3"})
        total = "fma_" + type_ + "(a" + i + k + ", b" + k + ", " + total + ")";
      say(column, place + " = " + total + ";");
    }
  }
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/tiled.hpp

#ifndef TENON_BACKEND_SOURCE_TILED_HPP
#define TENON_BACKEND_SOURCE_TILED_HPP

/// Products of floats by groups of work items, with the maps that follow.
namespace tenon::source {

template <class E>
inline constexpr bool is_tileable = false;
template <class A, class B, class Rule>
inline constexpr bool is_tileable<Contract<A, B, Rule>> =
    Strided<A> && Strided<B> && std::floating_point<typename A::value_type>;

/// Where the elements of a product's factor lie: steps along its axes, and the first one.
struct Lying {
  Sizes steps{};
  std::int64_t start = 0;
};
template <class E>
Lying lying_of(E const& e) {
  auto const memory = memory_of(e);
  return {memory.strides, memory.data - base_of(e).data()};
}

/// A product in numbers, where a kernel in tiles is worth it; none where it is not.
template <class E>
std::optional<ProductNumbers> tiles_of(Functions const& functions, E const& e) {
  if constexpr (is_tileable<E>) {
    if (functions.dialect().group_kernel.empty()) return std::nullopt;
    Lying const a = lying_of(e.a), b = lying_of(e.b);
    ProductNumbers numbers = numbers_of(labels_of(E::contraction, e.extents(), a.steps, b.steps,
                                                  row_major(e.sizes(), E::shape.rank)));
    numbers.a_start = a.start, numbers.b_start = b.start;
    if (numbers.is_exchanged) std::swap(numbers.a_start, numbers.b_start);
    if (is_worth_tiles(numbers.labels, functions.is_processor)) return numbers;
  }
  return std::nullopt;
}

/// Says what becomes of the sums: `say(places, block)` for an element of the result at places.
template <class E, class Say>
void say_results(Walk& walk, TileLoops& tiles, ProductNumbers const& numbers, E const& e,
                 Say const& say) {
  constexpr int rank = E::shape.rank;
  Quantities const sizes = sizes_of(walk, e);
  Loops loops(walk.listing, 0);
  tiles.open_sums(loops);
  LoopLabels const& columns = numbers.labels.columns;
  Places at{};
  bool const has_lines = rank > 1 && columns.size == 1 && columns[0].c == 1 &&
                         columns[0].extent == e.sizes()[static_cast<std::size_t>(rank - 1)];
  int const lines = has_lines ? rank - 1 : rank;
  std::string const length = product_text(walk.variables, sizes, lines, rank);
  int const block = has_lines ? tiles.line_block() : loops.block();
  std::string const place = has_lines ? "c_row / " + length : tiles.result_index();
  walk.listing.line(block, "i64 const line = " + place + ";");
  walk.rows = {lines, walk.listing.parameter("line", block), sizes};
  for (int i = 0; i < rank; ++i) at[static_cast<std::size_t>(i)] = {{Rows::term(i)}};
  if (has_lines) at[rank - 1] = {{walk.listing.parameter("j", loops.block())}};
  (void)walk.listing.within(loops.block(), [&] { return say(at, loops.block()), 0; });
  loops.close();
}

/// A product whose kernel goes on to compute a recipe that reads it at `value`; `stores` says
/// whether it is wanted there, too.
struct ProductValue {
  void const* value = nullptr;
  bool stores = false;
};

/// What is stored for each sum: the product itself, where that is wanted, and the recipe.
template <class E>
void say_stores(Walk& walk, TileLoops& tiles, ProductNumbers const& numbers, ProductValue own,
                E const& e) {
  say_results(walk, tiles, numbers, e, [&](Places const& at, int block) {
    int const sum = walk.listing.parameter(tiles.sum(), block);
    walk.product = [sum](Places const&) { return sum; };
    std::string result = tiles.sum();
    if constexpr (!is_contract<E>) result = term_of(element_of(walk, e, at)).text;
    std::string const place = "[" + tiles.result_index() + "] = ";
    if (own.stores) walk.listing.line(block, "product" + place + tiles.sum() + ";");
    walk.listing.line(block, "out" + place + result + ";");
  });
}

/// Says the sums of a product of `left` and `right`.
inline void say_sums_of(TileLoops& tiles, ProductNumbers const& numbers, std::string const& left,
                        std::string const& right) {
  if (numbers.is_exchanged) tiles.say_sums(right, left);
  else tiles.say_sums(left, right);
}

/// The kernel of a product in tiles, and of a recipe that reads it, or of it alone.
template <class P, class E>
Kernel tiled(Functions& functions, ProductNumbers const& numbers, P const& product, E const& e,
             ProductValue own = {}) {
  using T = typename P::value_type;
  using R = typename E::value_type;
  Walk walk(functions);
  auto const left = walk.memories[walk.memories.find(base_of(product.a))].name;
  auto const right = walk.memories[walk.memories.find(base_of(product.b))].name;
  TileLoops tiles(walk, numbers, tiling_of(numbers.labels, functions.is_processor), P::knows_sizes,
                  type_text<T>);
  say_sums_of(tiles, numbers, left, right);
  walk.own_value = own.value;
  walk.product_sizes = sizes_of(walk, product);
  say_stores(walk, tiles, numbers, own, e);
  Kernel kernel{"kernel_0", {}, type_text<R>, count(e.sizes(), E::shape.rank), sizeof(R)};
  kernel.work = tiles.work(), kernel.product = own.value, kernel.product_type = type_text<T>;
  std::vector<Argument> first{{Argument::Is::result}};
  if (own.stores) first.push_back({Argument::Is::product});
  return with_text(std::move(kernel), walk, "// out: " + type_of_recipe<E>() + "\n", first);
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/tiled_backward.hpp

#ifndef TENON_BACKEND_SOURCE_TILED_BACKWARD_HPP
#define TENON_BACKEND_SOURCE_TILED_BACKWARD_HPP

/// Products backward, by groups of work items: the adjoint of a factor is a product, too.
namespace tenon::source {

/// One of the factors of a product.
template <bool is_left, class P>
auto const& factor_of(P const& e) {
  if constexpr (is_left) return e.a;
  else return e.b;
}

/// The rule by which the adjoint of the result and the other factor give that of a factor.
template <bool is_left>
constexpr Contraction backward_rule(Contraction const& rule) {
  Contraction back = rule;
  back.left = rule.out;
  back.right = is_left ? rule.right : rule.left;
  back.out = is_left ? rule.left : rule.right;
  return back;
}

/// The adjoint of a factor as a product in numbers: where it is asked for and worth tiles, and no
/// element of the factor is read twice.
template <bool is_left, class P>
std::optional<ProductNumbers> tiles_back(Functions const& functions, Wanted const& wanted,
                                         P const& e) {
  if constexpr (is_tileable<P>) {
    auto const& own = factor_of<is_left>(e);
    if (functions.dialect().group_kernel.empty()) return std::nullopt;
    if (overlapping<Unqualified<decltype(own)>> || !wanted(base_of(own).mark()))
      return std::nullopt;
    Lying const c = lying_of(own), b = lying_of(factor_of<!is_left>(e));
    Sizes const adjoint = row_major(e.sizes(), P::shape.rank);
    ProductNumbers numbers = numbers_of(
        labels_of(backward_rule<is_left>(P::contraction), e.extents(), adjoint, b.steps, c.steps));
    numbers.b_start = b.start, numbers.c_start = c.start;
    if (numbers.is_exchanged) std::swap(numbers.a_start, numbers.b_start);
    bool const is_any = numbers.results() > 0;
    if (is_any && is_worth_tiles(numbers.labels, functions.is_processor)) return numbers;
  }
  return std::nullopt;
}

/// The kernel that adds to the adjoint of a factor.
template <bool is_left, class P>
Kernel tiled_factor(Functions& functions, std::string name, ProductNumbers const& numbers,
                    P const& e) {
  using T = typename P::value_type;
  Walk walk(functions);
  auto const& own = base_of(factor_of<is_left>(e));
  auto const other = walk.memories.find(base_of(factor_of<!is_left>(e)));
  LeafAdjoint adjoint{walk.memories[walk.memories.find(own)], own.mark(), "g0"};
  adjoint.elements = count(own.sizes(), Unqualified<decltype(own)>::rank);
  adjoint.element_bytes = sizeof(T);
  TileLoops tiles(walk, numbers, tiling_of(numbers.labels, functions.is_processor), P::knows_sizes,
                  type_text<T>);
  say_sums_of(tiles, numbers, "adjoint", walk.memories[other].name);
  Loops loops(walk.listing, 0);
  tiles.open_sums(loops);
  walk.listing.line(loops.block(), "g0[" + tiles.result_index() + "] += " + tiles.sum() + ";");
  loops.close();
  Kernel kernel{std::move(name), {}, type_text<T>, count(e.sizes(), P::shape.rank), sizeof(T)};
  kernel.adjoints = {adjoint};
  kernel.work = tiles.work();
  std::string const comments = adjoint_comments(kernel, type_of_recipe<P>());
  return with_text(std::move(kernel), walk, comments,
                   {{Argument::Is::adjoint}, {Argument::Is::leaf_adjoint, 0}});
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/backward.hpp

#ifndef TENON_BACKEND_SOURCE_BACKWARD_HPP
#define TENON_BACKEND_SOURCE_BACKWARD_HPP

/// Kernels that pass an adjoint back to the leaves of a recipe.
namespace tenon::source {

/// Every leaf's adjoint is asked for.
inline bool every_leaf(TapeMark) { return true; }

/// What a backward kernel is printed with.
struct Backward {
  Functions& functions;
  std::string name;
  Wanted wanted = every_leaf;
};

/// Says that element `row` of an adjoint grows by the sum of its parts, in order.
inline void say_sum(Walk& walk, LeafAdjoint const& adjoint, Quantity const& elements,
                    Quantity const& chunks) {
  Listing& l = walk.listing;
  Loops loops(l, 0);
  (void)open_rows(walk, {elements}, 1, 0, loops);
  int const row = loops.block();
  std::string const sum = l.text(l.variable(adjoint.leaf.type, "0", row));
  auto const chunk = l.loop(walk.variables.text(chunks), row);
  std::string const place =
      l.text(chunk.counter) + " * " + walk.variables.text(elements) + " + row";
  l.line(chunk.block, sum + " += parts[" + place + "];");
  l.close(chunk.block);
  l.line(row, adjoint.name + "[row] += " + sum + ";");
  loops.close();
}

/// The kernel that adds the parts of an adjoint to it.
inline Kernel sum_of_parts(Functions& functions, std::string name, LeafAdjoint const& adjoint,
                           bool is_static) {
  Walk walk(functions);
  auto const quantity = [&](std::string const& wish, std::int64_t number) {
    return is_static ? Quantity{number} : walk.variables.fresh(wish, number);
  };
  say_sum(walk, adjoint, quantity("elements", adjoint.elements), quantity("chunks", adjoint.parts));
  Kernel kernel{std::move(name), {}, adjoint.leaf.type, adjoint.elements, adjoint.element_bytes};
  kernel.adjoints = {adjoint};
  using Is = Argument::Is;
  return with_text(std::move(kernel), walk, "// " + adjoint.name + ": the sum of its parts\n",
                   {{Is::leaf_adjoint, 0}, {Is::summed_parts, 0}});
}

/// A kernel with its text, and those that add up parts.
inline std::vector<Kernel> with_sums(Kernel kernel, Reverse& reverse, Dealing const& dealing,
                                     std::string const& type) {
  using Is = Argument::Is;
  std::vector<Argument> first{{Is::adjoint}};
  for (auto const& entry : reverse.adjoints().all()) {
    std::size_t const i = kernel.adjoints.size();
    kernel.adjoints.push_back(entry.adjoint);
    if (dealing.has_parts(i)) kernel.adjoints.back().parts = dealing.chunks;
    first.push_back({dealing.has_parts(i) ? Is::parts : Is::leaf_adjoint, i});
  }
  if (dealing.has_chunks) kernel.work.rows = dealing.count(reverse.sizes(), reverse.rank());
  std::string const comments = adjoint_comments(kernel, type);
  std::vector<Kernel> all{with_text(std::move(kernel), reverse.walk(), comments, first)};
  for (LeafAdjoint const& own : std::vector(all[0].adjoints)) {
    std::string const name = all[0].name + "_sum_" + own.name;
    if (own.parts > 0)
      all.push_back(sum_of_parts(reverse.listing().functions(), name, own, dealing.is_static));
  }
  return all;
}

/// The kernels of `say(reverse)`, which passes the adjoint of `e` back. It is said twice: what is
/// added to which leaf decides how rows are dealt out.
template <class E, class Say>
std::vector<Kernel> backward(Backward const& how, E const& e, Say const& say) {
  using T = typename E::value_type;
  Dealing const alone;
  Walk first(how.functions);
  Reverse trial(first, how.wanted, alone);
  say(trial);
  if (trial.adjoints().all().empty()) return {};
  Dealing const dealing = dealing_for(trial.adjoints(), trial.sizes(), trial.rank());
  Walk walk(how.functions);
  Reverse reverse(walk, how.wanted, dealing);
  say(reverse);
  Kernel kernel{how.name, {}, type_text<T>, count(e.sizes(), E::shape.rank), sizeof(T)};
  return with_sums(std::move(kernel), reverse, dealing, type_of_recipe<E>());
}

/// The kernels that pass the adjoint of a settled recipe back to its leaves; none where no leaf
/// asks for it.
template <class E>
std::vector<Kernel> pulled(Backward const& how, E const& e) {
  return backward(how, e, [&](Reverse& reverse) {
    if (leads_back(reverse, e)) pull_whole(reverse, e);
  });
}

/// The same where the recipe reads as `own_product` what kernel `number` computed.
template <class P, class E>
std::vector<Kernel> pulled(Backward const& how, P const& product, int number, E const& e) {
  return backward(how, e, [&](Reverse& reverse) {
    reverse.own_product = number;
    reads_product(reverse.walk(), earlier(product, number));
    if (leads_back(reverse, e)) pull_whole(reverse, e);
  });
}

/// The kernels that pass the adjoint of a product back to one of its factors.
template <bool is_left, class P>
std::vector<Kernel> pulled_factor(Backward const& how, P const& e) {
  if constexpr (is_tileable<P>) {
    if (auto const numbers = tiles_back<is_left>(how.functions, how.wanted, e))
      return {tiled_factor<is_left>(how.functions, how.name, *numbers, e)};
  }
  return backward(how, e, [&](Reverse& reverse) { pull_factor<is_left>(reverse, e); });
}

/// The same to both.
template <class A, class B, class Rule>
std::vector<Kernel> pulled(Backward const& how, Contract<A, B, Rule> const& e) {
  auto const of = [&](std::string_view name) {
    return Backward{how.functions, std::string(how.name).append(name), how.wanted};
  };
  auto all = pulled_factor<true>(of("_left"), e);
  for (Kernel& kernel : pulled_factor<false>(of("_right"), e)) all.push_back(std::move(kernel));
  return all;
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/kernel_folder.hpp

#ifndef TENON_BACKEND_SOURCE_KERNEL_FOLDER_HPP
#define TENON_BACKEND_SOURCE_KERNEL_FOLDER_HPP

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>

/// Compiled kernels in files.
namespace tenon::source {

/// A folder with a file for each compiled kernel. A file begins with all that the kernel was made
/// from: who asks with anything else finds nothing. What cannot be read or written counts as not
/// there: a kernel can always be compiled again.
class KernelFolder {
 public:
  explicit KernelFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(std::string const& origin) const {
    std::ifstream file(path_of(origin), std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    std::string const head = head_of(origin);
    if (!text.starts_with(head)) return std::nullopt;
    return text.substr(head.size());
  }

  /// Writes beside the place and renames: who reads meanwhile finds all of it or nothing.
  void keep(std::string const& origin, std::string const& image) const {
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
    auto const path = path_of(origin);
    auto part = path;
    part += "." + std::to_string(std::random_device()());  // of this process alone
    {
      std::ofstream file(part, std::ios::binary);
      file << head_of(origin) << image;
      if (!file.flush()) return (void)std::filesystem::remove(part, ignored);
    }
    std::filesystem::rename(part, path, ignored);
  }

 private:
  static std::string head_of(std::string const& origin) {
    return "tenon kernel 1\n" + std::to_string(origin.size()) + "\n" + origin + "\n";
  }
  /// FNV-1a, 64 bits (G. Fowler, L. Noll, K.-P. Vo, 1991): the name of a file, no proof.
  static std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
  }
  std::filesystem::path path_of(std::string const& origin) const {
    return folder_ / (std::to_string(hash_of(origin)) + ".kernel");
  }

  std::filesystem::path folder_;
};

/// The folder that is asked for; none at first.
class KernelFolderChoice {
 public:
  static KernelFolderChoice& instance() {
    static KernelFolderChoice& choice = *new KernelFolderChoice;
    return choice;
  }
  std::optional<KernelFolder> get() {
    std::lock_guard const lock(mutex_);
    return folder_;
  }
  void set(std::optional<KernelFolder> folder) {
    std::lock_guard const lock(mutex_);
    folder_ = std::move(folder);
  }

 private:
  std::mutex mutex_;
  std::optional<KernelFolder> folder_;
};

}  // namespace tenon::source

namespace tenon {

/// Keeps the kernels that are compiled from now on in a folder, and takes from there what is known:
/// the next program starts without compiling them. A kernel is known by its text, its device and
/// the versions of driver and compiler. An empty path ends that. PyTorch:
/// `TORCHINDUCTOR_CACHE_DIR`.
inline void keep_kernels_in(std::filesystem::path const& folder) {
  std::optional<source::KernelFolder> choice;
  if (!folder.empty()) choice.emplace(folder);
  source::KernelFolderChoice::instance().set(std::move(choice));
}

}  // namespace tenon
#endif

// ---- tenon/backend/source/compiled.hpp

#ifndef TENON_BACKEND_SOURCE_COMPILED_HPP
#define TENON_BACKEND_SOURCE_COMPILED_HPP

namespace tenon::source {

/// A device whose compiled kernels can be kept: `image` compiles a text to bytes, `load` makes a
/// function of them (or throws `DeviceError`), `compiler` says all that an image depends on beside
/// the text.
template <class D>
concept ImagingDevice = requires(std::string const& text) {
  { D::image(text, text) } -> std::same_as<std::string>;
  { D::load(text, text) } -> std::same_as<typename D::Function>;
  { D::compiler() } -> std::same_as<std::string>;
};

/// The compiled kernels of a device, by their text. Thread-safe.
template <class D>
class Compiled {
 public:
  using Function = typename D::Function;

  static Function function(std::string const& name, std::string const& text) {
    static Compiled& all = *new Compiled;
    std::lock_guard const lock(all.mutex_);
    auto const known = all.functions_.find(text);
    if (known != all.functions_.end()) return known->second;
    return all.functions_[text] = made(name, text);
  }

 private:
  static Function made(std::string const& name, std::string const& text) {
    if constexpr (ImagingDevice<D>) {
      if (auto const folder = KernelFolderChoice::instance().get())
        return kept(*folder, name, text);
    }
    return D::compile(name, text);
  }
  static Function kept(KernelFolder const& folder, std::string const& name,
                       std::string const& text) {
    std::string const origin = D::compiler() + "\n" + text;
    if (auto const known = folder.find(origin)) {
      try {
        return D::load(name, *known);
      } catch (DeviceError const&) {  // a file that was damaged: it is compiled again
      }
    }
    std::string const image = D::image(name, text);
    folder.keep(origin, image);
    return D::load(name, image);
  }

  std::mutex mutex_;
  std::map<std::string, Function> functions_;
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/draw.hpp

#ifndef TENON_BACKEND_SOURCE_DRAW_HPP
#define TENON_BACKEND_SOURCE_DRAW_HPP

/// Random words on the device that asks for them.
namespace tenon::source {

/// Says how a row draws its block of four words, from the body that the processor draws with.
inline op::PhiloxBlock<Symbol<std::uint32_t>> say_block(
    Walk& walk, Symbol<std::uint32_t> stream, std::array<Symbol<std::uint32_t>, 2> const& key) {
  using Word = Symbol<std::uint32_t>;
  Symbol<std::int64_t> const row(walk.listing, walk.rows.row);
  Symbol<std::uint64_t> const block = cast<std::uint64_t>(row);
  op::PhiloxBlock<Word> const counter{cast<std::uint32_t>(block), cast<std::uint32_t>(block >> 32),
                                      stream, Word(0u)};
  return op::philox(counter, key);
}

/// Says where a row's words go, of so many.
inline void say_stores(Walk& walk, op::PhiloxBlock<Symbol<std::uint32_t>> const& drawn,
                       std::string const& words, int block) {
  int number = 0;
  for (auto const& word : {drawn.word0, drawn.word1, drawn.word2, drawn.word3}) {
    std::string const at = "4 * row + " + std::to_string(number++);
    walk.listing.line(block,
                      "if (" + at + " < " + words + ") out[" + at + "] = " + word.text() + ";");
  }
}

/// The kernel that fills memory with the words of a stream of a key, a block for each row. Its
/// arguments are the memory, and, as numbers, how many words, the stream, the two words of the key,
/// and how many blocks.
inline Kernel draw_kernel(Functions& functions) {
  Walk walk(functions);
  auto const argument = [&](char const* name) {
    return walk.variables.text(walk.variables.fresh(name, 1));
  };
  auto const word = [&](char const* name) {
    int const known = walk.listing.parameter(argument(name));
    return cast<std::uint32_t>(Symbol<std::int64_t>(walk.listing, known));
  };
  std::string const words = argument("words");
  auto const stream = word("stream"), low = word("key_low"), high = word("key_high");
  Loops loops(walk.listing, 0);
  (void)open_rows(walk, {walk.variables.fresh("blocks", 1)}, 1, 0, loops);
  auto const drawn = say_block(walk, stream, {low, high});
  say_stores(walk, drawn, words, loops.block());
  loops.close();
  return with_text({"draw", {}, type_text<std::uint32_t>, 0, sizeof(std::uint32_t)}, walk,
                   "// out: random words\n", {{Argument::Is::result}});
}

/// What the kernel is started with.
inline std::vector<LaunchArgument> draw_arguments(op::PhiloxKey key, std::uint32_t stream,
                                                  std::uint32_t const* to, std::int64_t words) {
  std::vector<LaunchArgument> all{{to, 0, {}}};
  for (std::int64_t const number :
       {words, std::int64_t{stream}, std::int64_t{key[0]}, std::int64_t{key[1]}, (words + 3) / 4})
    all.push_back(LaunchArgument::of(number));
  return all;
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/products.hpp

#ifndef TENON_BACKEND_SOURCE_PRODUCTS_HPP
#define TENON_BACKEND_SOURCE_PRODUCTS_HPP

/// Products that a library of the device computes.
namespace tenon::source {

/// A batch of products of matrices with elements `T` and sums `R`: c = a b, or c += a b. Of each
/// group of labels there is one, with its extent and its steps in the three; extent 1 where there
/// is none.
template <class T, class R = T>
struct Matrices {
  T const* a;
  T const* b;
  R* c;
  LoopLabel rows, columns, summed, batch;
  bool accumulates;
};

/// A device that has such a library: does it take a product, and have it computed.
template <class D, class T, class R>
concept MultipliesMatrices = requires(Matrices<T, R> const& product) {
  { D::multiplies(product) } -> std::same_as<bool>;
  D::multiply(product);
};

/// A product as batches of products of matrices, one for each place of a label that does not lie as
/// the others do; none where it is no such product, or one of very many.
template <class T, class R>
std::vector<Matrices<T, R>> matrices_of(LoopLabels const& labels, Matrices<T, R> whole) {
  constexpr std::int64_t most = 64;
  SortedLabels sorted_labels = sorted(labels);
  auto& [batch, rows, columns, summed] = sorted_labels;
  if (rows.size > 1 || columns.size > 1 || summed.size > 1) return {};
  whole.rows = rows.take_longest();
  whole.columns = columns.take_longest();
  whole.summed = summed.take_longest();
  whole.batch = batch.take_longest();
  if (batch.count() > most) return {};
  std::vector<Matrices<T, R>> all;
  for (std::int64_t i = 0; i < batch.count(); ++i) {
    LoopLabel const at = batch.place(i);
    all.push_back(whole);
    all.back().a += at.a;
    all.back().b += at.b;
    all.back().c += at.c;
  }
  return all;
}

/// The products of a node that the library of `D` takes; none where it does not take them all.
template <class D, class T, class R>
std::vector<Matrices<T, R>> taken(LoopLabels const& labels, T const* a, T const* b, R* c,
                                  bool accumulates) {
  auto all = matrices_of<T, R>(labels, {a, b, c, {}, {}, {}, {}, accumulates});
  auto const takes = [](auto const& one) { return D::multiplies(one); };
  if (!std::all_of(all.begin(), all.end(), takes)) all.clear();
  return all;
}

template <class D, class Product>
bool multiply_all(std::vector<Product> const& all) {
  for (Product const& one : all) D::multiply(one);
  return !all.empty();
}

/// Can a library read an operand: a tensor, whole or with its axes moved?
template <class E>
concept ReadByLibrary = Strided<E> && !overlapping<E>;

/// An operand of a product before it is cast, and the dtype of its elements.
template <class E>
using Uncast = Unqualified<decltype(strided_of(std::declval<E const&>()))>;
template <class E>
using UncastDtype = typename Uncast<E>::value_type;

template <class D, class E>
inline constexpr bool is_taken_by_library = false;
template <class D, class A, class B, class Rule>
inline constexpr bool is_taken_by_library<D, Contract<A, B, Rule>> =
    ReadByLibrary<Uncast<A>> && ReadByLibrary<Uncast<B>> &&
    std::same_as<UncastDtype<A>, UncastDtype<B>> &&
    MultipliesMatrices<D, UncastDtype<A>, typename A::value_type>;

/// Has the library of `D` computed a product?
template <class D, class A, class B, class Rule>
bool multiplied_by_library(Contract<A, B, Rule> const& e, typename A::value_type* out) {
  if constexpr (is_taken_by_library<D, Contract<A, B, Rule>>) {
    auto const a = memory_of(strided_of(e.a));
    auto const b = memory_of(strided_of(e.b));
    return multiply_all<D>(
        taken<D>(labels_of(e, a.strides, b.strides), a.data, b.data, out, false));
  } else {
    return false;
  }
}

/// The products that add the adjoint of an operand to what is there; none where the library does
/// not take them, an empty list where nobody asks for it.
template <class D, class T, class Operand, class Memory>
std::optional<std::vector<Matrices<T>>> pulling(Operand const& operand, Memory const& own,
                                                LoopLabels const& labels, T const* adjoint,
                                                T const* other, Tape& tape) {
  auto const& base = base_of(operand);
  if (!tape.is_wanted(base.mark())) return std::vector<Matrices<T>>{};
  auto* const memory = tape.template gradient_of<D>(base.mark(), base.size(), sizeof(T));
  T* const to = reinterpret_cast<T*>(memory) + (own.data - base.data());
  auto all = taken<D>(labels, adjoint, other, to, true);
  if (all.empty()) return std::nullopt;
  return all;
}

/// Has it added the adjoints of a product's operands?
template <class D, class A, class B, class Rule>
bool pulled_by_library(Contract<A, B, Rule> const& e, typename A::value_type const* adjoint,
                       Tape& tape) {
  using T = typename A::value_type;
  if constexpr (is_taken_by_library<D, Contract<A, B, Rule>> && ReadByLibrary<A> &&
                ReadByLibrary<B> && std::same_as<Computed<T>, T>) {
    auto const a = memory_of(e.a);
    auto const b = memory_of(e.b);
    LoopLabels const labels = labels_of(e, a.strides, b.strides);
    auto const left = pulling<D>(e.a, a, turned(labels, true), adjoint, b.data, tape);
    auto const right = pulling<D>(e.b, b, turned(labels, false), adjoint, a.data, tape);
    if (!left || !right) return false;
    multiply_all<D>(*left);
    multiply_all<D>(*right);
    return true;
  } else {
    return false;
  }
}

}  // namespace tenon::source
#endif

// ---- tenon/backend/source/recall.hpp

#ifndef TENON_BACKEND_SOURCE_RECALL_HPP
#define TENON_BACKEND_SOURCE_RECALL_HPP

/// Kernels by what they compute, without their text: to print one takes longer than to start it.
namespace tenon::source {

/// A compiled kernel, and what it is started with: which of its arguments are of which memory,
/// number and adjoint of a recipe. The others are the same each time.
template <class Function>
struct Recalled {
  /// An argument that is the adjoint of a leaf, or the parts of one.
  struct Adjoint {
    std::size_t at;
    Argument::Is is;
    std::size_t mark;
    std::int64_t elements, element_bytes, parts;
  };

  Function function{};
  Work work{};
  std::vector<LaunchArgument> arguments{};
  std::vector<std::size_t> whole{};  ///< The result, or its adjoint.
  std::vector<std::pair<std::size_t, std::size_t>> memories{}, scalars{};
  std::vector<Adjoint> adjoints{};

  /// The arguments for another occurrence; `memory_of(adjoint)` is where an adjoint is added up.
  template <class MemoryOf>
  std::vector<LaunchArgument> arguments_for(Occurrence const& own, void const* result,
                                            MemoryOf const& memory_of) const {
    std::vector<LaunchArgument> all = arguments;
    for (std::size_t const at : whole) all[at].memory = result;
    for (auto const& [at, from] : memories) all[at].memory = own.memories[from];
    for (auto const& [at, from] : scalars) all[at].number = own.scalars[from];
    for (Adjoint const& adjoint : adjoints) all[adjoint.at].memory = memory_of(adjoint);
    return all;
  }

  /// What is to be known of a kernel that was printed for such an occurrence.
  static Recalled of(Function function, Kernel const& kernel, Occurrence const& own) {
    Recalled known;
    known.function = function;
    known.work = kernel.work;
    for (Argument const& argument : kernel.arguments) known.add(kernel, argument, own);
    return known;
  }

 private:
  void add(Kernel const& kernel, Argument const& argument, Occurrence const& own) {
    using Is = Argument::Is;
    std::size_t const at = arguments.size(), from = argument.at;
    LaunchArgument value;
    if (argument.is == Is::number) value = LaunchArgument::of(kernel.numbers[from].value);
    else if (argument.is == Is::scalar) value = add_scalar(kernel.scalars[from], own);
    else if (argument.is == Is::memory)
      memories.emplace_back(at, place_of(own.memories, kernel.memories[from].data));
    else if (argument.is == Is::product)
      memories.emplace_back(at, place_of(own.memories, kernel.product));
    else if (argument.is == Is::result || argument.is == Is::adjoint) whole.push_back(at);
    else add_adjoint(kernel.adjoints[from], argument.is, own);
    arguments.push_back(value);
  }
  LaunchArgument add_scalar(Scalars::Argument const& scalar, Occurrence const& own) {
    scalars.emplace_back(arguments.size(), place_of(own.scalars, scalar.value));
    return {nullptr, scalar.bytes, scalar.value};
  }
  void add_adjoint(LeafAdjoint const& adjoint, Argument::Is is, Occurrence const& own) {
    adjoints.push_back({arguments.size(), is, place_of(own.marks, adjoint.mark), adjoint.elements,
                        adjoint.element_bytes, adjoint.parts});
  }
};

/// What is known of recipes of type `E`, of each that has another key. Thread-safe.
template <class E, class Known>
class Recall {
 public:
  /// What is known of one; `make()` finds it out where it is new.
  template <class Make>
  static Known const& find(std::vector<std::int64_t> const& key, Make const& make) {
    static Recall& all = *new Recall;
    std::lock_guard const lock(all.mutex_);
    auto const found = all.known_.find(key);
    if (found != all.known_.end()) return found->second;
    return all.known_.emplace(key, make()).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, Known> known_;
};

}  // namespace tenon::source
#endif

// ---- tenon/eval/pull_by_host.hpp

#ifndef TENON_EVAL_PULL_BY_HOST_HPP
#define TENON_EVAL_PULL_BY_HOST_HPP

/// The reverse of `fill_by_host`: a recipe's adjoint is passed back on a tape of the host.
namespace tenon {

/// A leaf's adjoint on the host's tape belongs to another one on the device's.
struct LeafOnHost {
  TapeMark there, here;
  std::int64_t elements;
  std::size_t element_bytes;
  void (*add)(std::byte* to, std::byte const* from, std::int64_t count);
};

/// Adds adjoints of the host to those of the same leaves in a device's memory.
template <DistantDevice D>
void add_from_host(std::vector<LeafOnHost> const& leaves, Tape& host, Tape& tape) {
  for (LeafOnHost const& leaf : leaves) {
    std::size_t const bytes = static_cast<std::size_t>(leaf.elements) * leaf.element_bytes;
    SharedBuffer const share = host.take_gradient(leaf.here, bytes);
    if (!share || bytes == 0) continue;
    std::byte* const to = tape.gradient_of<D>(leaf.there, leaf.elements, leaf.element_bytes);
    SharedBuffer const sum(bytes);
    D::copy_out(sum.data(), to, bytes);
    leaf.add(sum.as<std::byte>(), share.as<std::byte>(), leaf.elements);
    D::copy_in(to, sum.data(), bytes);
  }
}

/// The same recipe on a device of the host, recorded there as it is on the device's tape.
template <class H, class E>
auto recorded_on_host(E const& e, Tape& host, Tape const& tape, std::vector<LeafOnHost>& leaves) {
  return with_leaves(e, [&]<class L>(L const& leaf) {
    auto own = leaf_on<H>(leaf);
    using T = Computed<typename L::value_type>;
    if constexpr (TensorType<L> && FloatType<T>) {
      if (tape.is_wanted(leaf.mark())) {
        own.set_mark(host.new_slot());
        leaves.push_back({leaf.mark(), own.mark(), leaf.size(), sizeof(T), &add_elements<T>});
      }
    }
    return own;
  });
}

/// The verb `pull` of a backend whose device leaves it to the device `H`, and `pull_contract`.
template <class H, class E>
void pull_by_host(E const& e, MemoryAccess const& adjoint, Tape& tape) {
  using D = typename E::device;
  using T = typename E::value_type;
  Tape host;
  host.stop();
  std::vector<LeafOnHost> leaves;
  auto const here = recorded_on_host<H>(e, host, tape, leaves);
  auto const own = brought<H, D, T, spec_of<E>>(reinterpret_cast<T const*>(adjoint.data), e.sizes(),
                                                adjoint.stride);
  if constexpr (is_contract<E>) {
    BackendOf<H>::pull_contract(here, own.data(), host);
  } else {
    MemoryAccess from = access_out(nullptr, row_major(e.sizes(), E::shape.rank), sizeof(T));
    from.data = reinterpret_cast<std::byte const*>(own.data());
    BackendOf<H>::pull(here, from, host);
  }
  add_from_host<D>(leaves, host, tape);
}

}  // namespace tenon
#endif

// ---- tenon/backend/source/backend.hpp

#ifndef TENON_BACKEND_SOURCE_BACKEND_HPP
#define TENON_BACKEND_SOURCE_BACKEND_HPP

#include <tuple>

namespace tenon::source {

/// A device that compiles the text of kernels when the program runs, and starts them.
template <class D>
concept CompilingDevice =
    DistantDevice<D> && requires(typename D::Function function, std::string const& text,
                                 std::vector<LaunchArgument> const& arguments, Work work) {
      { D::compile(text, text) } -> std::same_as<typename D::Function>;
      D::launch(function, arguments, work);
    };

/// A backend that prints its kernels in a dialect, lets the device compile them, and keeps them for
/// the next recipe that is the same but for its memory and its numbers.
template <CompilingDevice D, class Language>
struct SourceBackend {
  using device = D;
  using dialect = Language;

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    if constexpr (speaks_of<E>) compute(e, out, has_fold<E> ? wanted_row<E> : 0);
    else note_unspoken<E>(), fill_by_host<Cpu>(e, out);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    if (multiplied_by_library<D>(product, out)) return hold_while_recording(product);
    MemoryAccess const access =
        access_out(reinterpret_cast<std::byte*>(out), row_major(product.sizes(), E::shape.rank),
                   sizeof(typename E::value_type));
    if constexpr (speaks_of<E>) compute(product, access, 0);
    else note_unspoken<E>(), fill_by_host<Cpu>(product, access);
  }

  /// Computes a product and the recipe that reads it at `value`, where it lies afterwards unless
  /// the result lies there.
  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    if (multiplied_by_library<D>(product, value))
      return hold_while_recording(product), fill(e, out);
    if constexpr (speaks_of<P> && speaks_of<E> && is_tileable<P>) {
      bool const fits = lies_row_major(out.stride, e) && count(e.sizes(), E::shape.rank) > 0;
      if (fits && tiles_of(functions_of_device(), product))
        return compute_tiles(product, value, e, out);
    }
    contract(product, value);
    fill(e, out);
  }

  template <class E>
  static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    if constexpr (!speaks_of<E>) return note_unspoken<E>(), pull_by_host<Cpu>(e, adjoint, tape);
    else pull_there(e, adjoint, tape);
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    if (pulled_by_library<D>(product, adjoint, tape)) return hold_while_recording(product);
    if constexpr (speaks_of<E>) pass_back(product, adjoint, tape);
    else note_unspoken<E>(), pull_by_host<Cpu>(product, access_at(adjoint, product), tape);
  }

  /// Random words by a kernel: nothing is drawn on the host.
  static void draw(op::PhiloxKey key, std::uint32_t stream, std::uint32_t* to, std::int64_t words) {
    static typename D::Function const function = [] {
      Functions functions = functions_of_device();
      return function_of(functions, draw_kernel(functions));
    }();
    if (words == 0) return;
    Work work;
    work.rows = (words + 3) / 4;
    D::launch(function, draw_arguments(key, stream, to, words), work);
  }

 private:
  using Known = Recalled<typename D::Function>;

  /// Has the language all dtypes of a recipe? The host computes what it has no words for.
  template <class E>
  static constexpr bool speaks_of = std::is_void_v<UnspokenDtype<Language, E>>;
  template <class E>
  static void note_unspoken() {
    note_fallback(D::name, dtype_name<UnspokenDtype<Language, E>>);
  }

  template <class E>
  static void pull_there(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    if (lies_row_major(adjoint.stride, e)) return pass_back(e, adjoint.data, tape);
    using T = typename E::value_type;
    auto const* const from = reinterpret_cast<T const*>(adjoint.data);
    View<T, spec_of<E>, D> const part(from, e.sizes(), adjoint.stride);
    auto const whole = Tensor<T, spec_of<E>, D>::uninitialised(e.sizes());
    fill(part, access_at(whole.data(), whole));
    pass_back(e, whole.data(), tape);
  }

  template <class E>
  static void hold_while_recording(E const& e) {
    if (auto* const lender = DeviceLender<D>::current) Occurrence::hold(*lender, e);
  }

  template <class T, class E>
  static MemoryAccess access_at(T const* memory, E const& e) {
    MemoryAccess access;
    access.data = reinterpret_cast<std::byte const*>(memory);
    access.stride = row_major(e.sizes(), E::shape.rank);
    return access;
  }

  /// Starts the kernel of a recipe: one that is known, or a new one.
  template <class E>
  static void compute(E const& e, MemoryAccess const& out, int row_axes) {
    if (count(e.sizes(), E::shape.rank) == 0) return;
    hold_while_recording(e);
    Occurrence own;
    bool const is_part = !lies_row_major(out.stride, e);
    if (is_part) own.note_all(out.stride);
    own.note(e);
    run_known<E>(own, out.data, [&](Functions& functions) {
      return kernel_of(functions, e, is_part ? &out : nullptr, row_axes);
    });
  }

  template <class P, class E>
  static void compute_tiles(P const& product, typename P::value_type* value, E const& e,
                            MemoryAccess const& out) {
    hold_while_recording(product);
    hold_while_recording(e);
    Occurrence own;
    bool const stores = reinterpret_cast<std::byte const*>(value) != out.data;
    own.key.push_back(stores ? 1 : 0);
    own.note(product);
    own.note(e);
    run_known<std::tuple<P, E>>(own, out.data, [&](Functions& all) {
      return tiled(all, *tiles_of(all, product), product, e, {value, stores});
    });
  }

  /// Starts the kernel of what is known by a type and an occurrence; `print(functions)` is it.
  template <class What, class Print>
  static void run_known(Occurrence const& own, void const* result, Print const& print) {
    Known const& known = Recall<What, Known>::find(own.key, [&] {
      Functions functions = functions_of_device();
      return compiled(functions, print(functions), own);
    });
    auto const none = [](auto const&) { return static_cast<void const*>(nullptr); };
    D::launch(known.function, known.arguments_for(own, result, none), known.work);
  }

  /// The kernel of a recipe whose result lies row-major, or as `part` says. Where an element of a
  /// map asks for the place of its row along each axis, a processor walks the last axis in a loop.
  template <class E>
  static Kernel kernel_of(Functions& functions, E const& e, MemoryAccess const* part,
                          int row_axes) {
    if constexpr (is_tileable<E>) {
      auto const numbers = tiles_of(functions, e);
      if (numbers) return tiled(functions, *numbers, e, e);
    }
    Walk walk(functions);
    walk.has_steps_of_result = part != nullptr;
    if (part != nullptr) walk.steps_of_result = walk.memories.strides(E::shape.rank, part->stride);
    print_rows(walk, e, row_axes);
    bool const asks = row_axes == 0 && walk.rows.are_taken_apart;
    if (asks && walks_lines() && has_long_lines(e)) return kernel_of(functions, e, part, 1);
    return finished(walk, e, "kernel" + ops_text(e));
  }

  static bool walks_lines() {
    if constexpr (requires { D::walks_lines(); }) return D::walks_lines();
    else return false;
  }
  /// Is a line worth a loop of its own, and are there enough of them for all cores?
  template <class E>
  static bool has_long_lines(E const& e) {
    if constexpr (E::shape.rank == 0) return false;
    else {
      std::int64_t const line = e.sizes()[static_cast<std::size_t>(E::shape.rank - 1)];
      return line >= 8 && count(e.sizes(), E::shape.rank) / line >= 64;
    }
  }

  /// Starts the kernels that add the adjoint of a recipe to those of its leaves.
  template <class E>
  static void pass_back(E const& e, void const* adjoint, Tape& tape) {
    if (count(e.sizes(), E::shape.rank) == 0) return;
    hold_while_recording(e);
    Occurrence own{&tape};
    own.note(e);
    auto const& all = Recall<E, std::vector<Known>>::find(own.key, [&] {
      Functions functions = functions_of_device();
      std::vector<Known> kernels;
      auto const wanted = [&](TapeMark mark) { return tape.is_wanted(mark); };
      for (Kernel const& kernel : pulled({functions, "pull" + ops_text(e), wanted}, e))
        kernels.push_back(compiled(functions, kernel, own));
      return kernels;
    });
    DeviceAdjoints<D> adjoints(tape, own);
    auto const memory_of = [&](auto const& leaf) { return adjoints.memory_of(leaf); };
    for (Known const& known : all)
      D::launch(known.function, known.arguments_for(own, adjoint, memory_of), known.work);
  }

  template <class E>
  static bool lies_row_major(Sizes const& steps, E const& e) {
    Sizes const expected = row_major(e.sizes(), E::shape.rank);
    return std::equal(steps.begin(), steps.begin() + E::shape.rank, expected.begin());
  }

  static Functions functions_of_device() { return Functions(Language::text, true, walks_lines()); }

  static typename D::Function function_of(Functions const& functions, Kernel const& kernel) {
    std::string text(Language::text.prelude);
    text += functions.text();
    text += kernel.text;
    return Compiled<D>::function(kernel.name, text);
  }
  static Known compiled(Functions const& functions, Kernel const& kernel, Occurrence const& own) {
    return Known::of(function_of(functions, kernel), kernel, own);
  }
};

}  // namespace tenon::source
#endif

// ---- tenon/backend/opencl.hpp

namespace tenon {

template <>
struct BackendFor<OpenCl> {
  using type = source::SourceBackend<OpenCl, dialect::OpenClC>;
};

static_assert(DifferentiatingBackend<BackendOf<OpenCl>>);

}  // namespace tenon
