#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <tenon/backend/codegen/launch/library.hpp>
#include <tenon/core/error.hpp>

/// The functions of the CUDA driver, resolved at run time: a program also starts on a machine
/// without CUDA. Names, argument orders and numbers are those of the CUDA Driver API 13.0 (NVIDIA,
/// 2025); all of them exist since 11.4.
namespace tenon::internal::cuda {

struct ContextObject;
struct StreamObject;
struct ModuleObject;
struct FunctionObject;
struct EventObject;
struct GraphObject;
struct GraphProgramObject;

using Code = int;
using DeviceNumber = int;
using Context = ContextObject*;
using Stream = StreamObject*;
using Module = ModuleObject*;
using Function = FunctionObject*;
using Event = EventObject*;
using Graph = GraphObject*;
using GraphHandle = GraphProgramObject*;  ///< Of an executable graph.
using Address = unsigned long long;       ///< In the device's memory.

enum : int {
  multiprocessors = 16,
  capability_major = 75,
  capability_minor = 76,
  memory_pools_supported = 115
};
inline constexpr unsigned own_stream = 1;  ///< `CU_STREAM_NON_BLOCKING`.
inline constexpr unsigned without_times = 2;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`: during a capture, its thread and others may make calls that
/// are not captured: allocations, module loads (of a kernel compiled meanwhile), work of other
/// streams.
inline constexpr int relaxed = 2;
inline constexpr Code out_of_memory = 2;

using codegen::Library;

/// A function of the library.
template <class... A>
using Call = Code (*)(A...);

/// The driver's library, opened once; without it every function is null.
struct Api {
  Library library{"libcuda.so.1", "libcuda.so", "nvcuda.dll"};

  static Api const& instance() {
    static Api const api;
    return api;
  }

  Call<unsigned> init = library.find("cuInit");
  Call<int*> count_devices = library.find("cuDeviceGetCount");
  Call<DeviceNumber*, int> device = library.find("cuDeviceGet");
  Call<char*, int, DeviceNumber> device_name = library.find("cuDeviceGetName");
  Call<int*, int, DeviceNumber> attribute = library.find("cuDeviceGetAttribute");
  Call<Context*, DeviceNumber> retain_context = library.find("cuDevicePrimaryCtxRetain");
  Call<Context> use_context = library.find("cuCtxSetCurrent");
  Call<Stream*, unsigned> create_stream = library.find("cuStreamCreate");
  Call<Stream> destroy_stream = library.find("cuStreamDestroy_v2");
  Call<Stream> wait = library.find("cuStreamSynchronize");
  Call<Address*, std::size_t, Stream> allocate = library.find("cuMemAllocAsync");
  Call<Address, Stream> free = library.find("cuMemFreeAsync");
  Call<Address*, std::size_t> allocate_at_once = library.find("cuMemAlloc_v2");
  Call<Address> free_at_once = library.find("cuMemFree_v2");
  Call<Address, void const*, std::size_t, Stream> copy_from_host =
      library.find("cuMemcpyHtoDAsync_v2");
  Call<void*, Address, std::size_t, Stream> copy_to_host = library.find("cuMemcpyDtoHAsync_v2");
  Call<Address, Address, std::size_t, Stream> copy_on_device = library.find("cuMemcpyDtoDAsync_v2");
  Call<Address, unsigned char, std::size_t, Stream> fill = library.find("cuMemsetD8Async");
  Call<std::size_t*, std::size_t*> memory_left = library.find("cuMemGetInfo_v2");
  Call<void**, std::size_t, unsigned> allocate_host = library.find("cuMemHostAlloc");
  Call<void*> free_host = library.find("cuMemFreeHost");
  Call<Stream, int> begin_capture = library.find("cuStreamBeginCapture_v2");
  Call<Stream, Graph*> end_capture = library.find("cuStreamEndCapture");
  Call<GraphHandle*, Graph, unsigned long long> instantiate =
      library.find("cuGraphInstantiateWithFlags");
  Call<GraphHandle, Stream> start_graph = library.find("cuGraphLaunch");
  Call<Graph> destroy_graph = library.find("cuGraphDestroy");
  Call<GraphHandle> destroy_graph_program = library.find("cuGraphExecDestroy");
  Call<Event*, unsigned> create_event = library.find("cuEventCreate");
  Call<Event, Stream> record = library.find("cuEventRecord");
  Call<Event> wait_for = library.find("cuEventSynchronize");
  Call<Module*, void const*> load = library.find("cuModuleLoadData");
  Call<Function*, Module, char const*> function = library.find("cuModuleGetFunction");
  Call<Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
       void**, void**>
      launch = library.find("cuLaunchKernel");
  Call<Code, char const**> words = library.find("cuGetErrorString");

  bool is_there() const { return launch != nullptr && instantiate != nullptr; }
};

/// The driver's description of an error.
inline std::string words(Code code) {
  char const* text = nullptr;
  auto const ask = Api::instance().words;
  if (ask != nullptr) ask(code, &text);
  return text == nullptr ? "error " + std::to_string(code) : text;
}

/// The last launched kernel, of all threads; null: none.
inline std::atomic<char const*> last_started{nullptr};

/// A kernel's name with static lifetime: errors may be reported during shutdown.
inline char const* intern_kernel_name(std::string const& name) {
  static std::mutex mutex;
  static std::set<std::string>& all = *new std::set<std::string>;
  std::lock_guard const lock(mutex);
  return all.insert(name).first->c_str();
}

/// Whether an error has destroyed the context, with all of its memory. These errors are returned by
/// every later call: an uncorrectable memory error (214), an illegal address (700), a launch
/// timeout (702), an assertion (710), and 714 to 719.
inline bool is_lost(Code code) {
  return code == 700 || code == 702 || code == 710 || (code >= 714 && code <= 719) || code == 214;
}

/// The kernel in which the context was lost, as far as that is known.
inline std::string loss_words() {
  char const* const last = last_started;
  std::string const kernel = last == nullptr ? "none" : last;
  return "the device is lost to this program; the last kernel that was started is " + kernel;
}

/// Throws `DeviceError` if a call failed; `what` describes it.
inline void check(Code code, std::string_view what) {
  if (code == 0) return;
  std::string const got = words(code), where = is_lost(code) ? loss_words() : "";
  fail<DeviceError>(
      {.who = "cuda", .what = what, .expected = "success", .got = got, .where = where});
}

}  // namespace tenon::internal::cuda
