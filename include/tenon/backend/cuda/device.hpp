#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/backend/codegen/launch/commands.hpp>
#include <tenon/backend/cuda/api.hpp>
#include <tenon/backend/cuda/compiler.hpp>
#include <tenon/backend/cuda/multiplier.hpp>
#include <tenon/backend/cuda/recording.hpp>
#include <tenon/backend/cuda/staging.hpp>
#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal::cuda {

/// The first device, with its context and the stream of all work.
struct OpenedDevice {
  DeviceNumber device = 0;
  Context context = nullptr;
  Stream stream = nullptr;
  int architecture = 0;  ///< 90: compute capability 9.0.
  unsigned multiprocessors = 1;
  bool has_pool = false;  ///< Stream-ordered allocation is supported.

  /// Opened on first use, and never closed: a tensor in static storage may deallocate at any time.
  /// Throws `DeviceError` if there is none.
  static OpenedDevice const& instance() {
    static OpenedDevice const& one = *new OpenedDevice(opened());
    return one;
  }

  /// Why there is no device; empty if there is one.
  static std::string const& missing() {
    static std::string const words = find_missing();
    return words;
  }

 private:
  static Api const& api() { return Api::instance(); }

  static OpenedDevice opened() {
    if (!missing().empty())
      fail<DeviceError>({.who = "cuda", .expected = "a device of CUDA", .got = missing()});
    OpenedDevice own;
    check(api().device(&own.device, 0), "asking for the device");
    check(api().retain_context(&own.context, own.device), "making a context");
    check(api().use_context(own.context), "using the device");
    check(api().create_stream(&own.stream, own_stream), "making a stream");
    own.architecture = 10 * number(capability_major) + number(capability_minor);
    own.multiprocessors =
        static_cast<unsigned>((std::max)(1, number(tenon::internal::cuda::multiprocessors)));
    own.has_pool = number(memory_pools_supported) != 0;
    return own;
  }
  /// A device attribute; 0 if it is not supported.
  static int number(int what) {
    int value = 0;
    return api().attribute(&value, what, 0) == 0 ? value : 0;
  }
  static std::string find_missing() {
    if (!api().is_there()) return "no library libcuda.so.1 of CUDA 11.4 or newer";
    if (Code const code = api().init(0); code != 0) return words(code);
    int count = 0;
    if (Code const code = api().count_devices(&count); code != 0) return words(code);
    return count > 0 ? "" : "none";
  }
};

}  // namespace tenon::internal::cuda

namespace tenon {

/// The first CUDA device: `Float32<"n m", Cuda>`. Kernels and copies run in the order of their
/// calls, from all threads. The driver and NVRTC libraries are opened on first use. PyTorch:
/// `torch.device("cuda:0")`.
struct Cuda {
  static constexpr std::string_view name = "cuda";
  static constexpr bool is_host = false;

  /// Whether there is such a device, with a driver and a compiler.
  static bool is_available() {
    return State::missing().empty() && internal::cuda::Compiler::instance().is_there();
  }

  /// The name of the device. Throws `DeviceError` if there is none.
  static std::string model() {
    State const& own = state();  // first: without it a function may be null
    std::array<char, 256> text{};
    internal::cuda::check(api().device_name(text.data(), static_cast<int>(text.size()), own.device),
                          "asking for the device's name");
    return text.data();
  }

  static void* allocate(std::size_t bytes) {
    internal::cuda::Address address = 0;
    internal::cuda::Code const code = state().has_pool
                                          ? api().allocate(&address, bytes, own_stream())
                                          : api().allocate_at_once(&address, bytes);
    if (code == internal::cuda::out_of_memory) return nullptr;
    internal::cuda::check(code, "asking for " + std::to_string(bytes) + " bytes");
    return reinterpret_cast<void*>(address);
  }
  /// After the driver's shutdown all memory is freed already.
  static void deallocate(void* memory) {
    if (state().has_pool) api().free(address_of(memory), own_stream());
    else api().free_at_once(address_of(memory));
  }

  /// The free memory of the device, for messages.
  static std::string memory_left() {
    std::size_t left = 0, all = 0;
    if (api().memory_left == nullptr || api().memory_left(&left, &all) != 0) return {};
    return std::to_string(left).append(" of ").append(std::to_string(all)).append(" are free");
  }

  static void copy_from_host(void* to, void const* from, std::size_t bytes) {
    if (bytes == 0) return;
    if (auto const& recorder = internal::cuda::Recorder::current())
      recorder->copy_from_host(address_of(to), from, bytes);
    else staging().copy_from_host(address_of(to), from, bytes);
  }
  static void copy_to_host(void* to, void const* from, std::size_t bytes) {
    if (internal::cuda::Recorder::current()) internal::codegen::refuse_reading(name);
    if (bytes > 0) staging().copy_to_host(to, address_of(from), bytes);
  }
  static void copy_on_device(void* to, void const* from, std::size_t bytes) {
    if (bytes > 0)
      internal::cuda::check(api().copy_on_device(address_of(to), address_of(from), bytes, stream()),
                            "copying within the device");
  }
  static void clear(void* to, std::size_t bytes) {
    if (bytes > 0)
      internal::cuda::check(api().fill(address_of(to), 0, bytes, stream()), "clearing memory");
  }

  /// Recorded commands, as a CUDA graph.
  using Recording = std::shared_ptr<internal::cuda::GraphProgram const>;

  /// Allocates everything that is created on first use, since allocations cannot be captured.
  static void begin_recording() {
    (void)own_stream();
    if (internal::cuda::MatrixLibrary::instance().is_there()) (void)multiplier();
    internal::cuda::Recorder::current() = std::make_unique<internal::cuda::Recorder>();
  }
  static Recording end_recording() {
    return std::exchange(internal::cuda::Recorder::current(), nullptr)
        ->finished(state().context, own_stream());
  }
  static void drop_recording() noexcept { internal::cuda::Recorder::current().reset(); }
  static void replay(Recording const& recorded) {
    (void)own_stream();
    recorded->start();
  }

  /// A compiled kernel, and its name for messages.
  struct Function {
    internal::cuda::Function function = nullptr;
    char const* name = "";
  };

  static Function compile(std::string const& kernel, std::string const& text) {
    return load(kernel, image(kernel, text));
  }

  // The same in two steps, with everything else that the first depends on.
  static std::string image(std::string const& kernel, std::string const& text) {
    return internal::cuda::compiled(kernel, text, state().architecture);
  }
  static std::string compiler() {
    return "cuda " + std::to_string(state().architecture) + " " +
           internal::cuda::compiler_version();
  }
  static Function load(std::string const& kernel, std::string const& image) {
    internal::cuda::Module module = nullptr;
    internal::cuda::check(api().use_context(state().context), kernel);
    internal::cuda::check(api().load(&module, image.data()), kernel);
    Function result{nullptr, internal::cuda::intern_kernel_name(kernel)};
    internal::cuda::check(api().function(&result.function, module, kernel.c_str()), kernel);
    return result;
  }

  /// Launches a kernel after all earlier commands.
  static void launch(Function const& kernel,
                     std::vector<internal::codegen::LaunchArgument> const& arguments,
                     internal::codegen::Work work) {
    std::vector<void*> places;
    for (internal::codegen::LaunchArgument const& argument : arguments) {
      void const* const place =
          argument.bytes == 0 ? static_cast<void const*>(&argument.memory) : argument.number.data();
      places.push_back(const_cast<void*>(place));
    }
    auto const [groups, members] = launch_size(work);
    internal::cuda::Code const code = api().launch(kernel.function, groups, 1, 1, members, 1, 1, 0,
                                                   stream(), places.data(), nullptr);
    if (code != 0) internal::cuda::check(code, std::string("starting ").append(kernel.name));
    internal::cuda::last_started = kernel.name;
  }

  /// Whether cuBLASLt computes such a matmul, and its epilogue. Float operands are not rounded to
  /// TF32 unless that is allowed (`cuda::MathMode`).
  template <class T, internal::cuda::SumOf<T> R>
  static bool multiplies(internal::codegen::Matrices<T, R> const& product,
                         internal::codegen::MatmulEpilogue const& end = {}) {
    if (!internal::cuda::MatrixLibrary::instance().is_there()) return false;
    auto const given = internal::cuda::transposed(product, end);
    return given && multiplier().takes(*given);
  }
  template <class T, internal::cuda::SumOf<T> R>
  static void multiply(internal::codegen::Matrices<T, R> const& product,
                       internal::codegen::MatmulEpilogue const& end = {}) {
    multiplier().multiply(*internal::cuda::transposed(product, end), product.c, product.accumulates,
                          stream());
  }
  static bool rounds_adjoints() { return internal::cuda::MathMode::allowed().rounded_adjoints; }

  /// Waits for all commands. Throws `DeviceError` if a kernel failed.
  static void synchronise() {
    internal::cuda::check(api().wait(own_stream()), "waiting for kernels");
  }

 private:
  static constexpr unsigned most_groups_of_each = 16;  ///< For each multiprocessor.

  using State = internal::cuda::OpenedDevice;

  /// The number of work groups and their size: full groups if there are enough rows for all
  /// multiprocessors, else one or two warps.
  static std::array<unsigned, 2> launch_size(internal::codegen::Work work) {
    if (work.groups > 0)
      return {static_cast<unsigned>(work.groups), static_cast<unsigned>(work.members)};
    auto const each = static_cast<std::int64_t>(state().multiprocessors);
    std::int64_t const members = work.rows >= 256 * each ? 256 : work.rows >= 64 * each ? 64 : 32;
    std::int64_t const groups = (work.rows + members - 1) / members;
    std::int64_t const most = each * most_groups_of_each * (256 / members);
    return {static_cast<unsigned>(std::clamp<std::int64_t>(groups, 1, most)),
            static_cast<unsigned>(members)};
  }

  static internal::cuda::Api const& api() { return internal::cuda::Api::instance(); }

  static internal::cuda::Address address_of(void const* memory) {
    return reinterpret_cast<internal::cuda::Address>(memory);
  }
  /// The stream, with its context current in the calling thread,
  static internal::cuda::Stream own_stream() {
    State const& own = state();
    internal::cuda::check(api().use_context(own.context), "using the device");
    return own.stream;
  }
  /// or the capturing one of this thread.
  static internal::cuda::Stream stream() {
    return internal::cuda::Recorder::current() ? internal::cuda::Recorder::current()->stream()
                                               : own_stream();
  }

  static internal::cuda::Multiplier& multiplier() {
    (void)own_stream();
    static internal::cuda::Multiplier& one =
        *new internal::cuda::Multiplier(allocate(internal::cuda::Multiplier::workspace_bytes));
    return one;
  }

  static internal::cuda::Staging& staging() {
    internal::cuda::Stream const own = own_stream();
    static internal::cuda::Staging& one = *new internal::cuda::Staging(own);
    return one;
  }

  static State const& state() { return State::instance(); }
};

}  // namespace tenon

namespace tenon::internal {

static_assert(RecordingDevice<Cuda>);

}  // namespace tenon::internal
