// A driver of CUDA for machines without a device: its functions by their names, as NVIDIA documents
// them, with what they refuse. Kernels are run on the host, by the shim.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fake_driver.hpp"

namespace {

using shim::FakeDriver;
using shim::FakeFunction;
using Address = FakeDriver::Address;

std::mutex mutex;
bool is_initialised = false;
char context, stream_object;  // handles
thread_local void const* current_context = nullptr;

FakeDriver& driver() { return FakeDriver::instance(); }

/// Runs `f` where the driver has been initialised and this thread has its context.
template <class F>
int in_context(F const& f) {
  std::lock_guard const lock(mutex);
  if (!is_initialised) return shim::not_initialised;
  if (current_context != &context) return shim::invalid_context;
  return f();
}
template <class F>
int in_stream(void const* stream, F const& f) {
  return in_context([&] { return stream == &stream_object ? f() : shim::invalid_handle; });
}

struct Event {
  std::size_t place = 0;
};

struct Module {
  void* library;
  bool has_barriers;
};

template <class T>
T* handle(T* made) {
  driver().handles.insert(made);
  return made;
}
bool is_handle(void const* one) { return driver().handles.count(one) > 0; }

}  // namespace

extern "C" {

int cuInit(unsigned flags) {
  is_initialised = flags == 0;
  return flags == 0 ? shim::success : shim::invalid_value;
}
int cuDeviceGetCount(int* count) {
  *count = 1;
  return is_initialised ? shim::success : shim::not_initialised;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? shim::success : shim::invalid_device;
}
int cuDeviceGetName(char* name, int length, int) {
  std::snprintf(name, static_cast<std::size_t>(length), "a fake device on the host");
  return shim::success;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 16:  // multiprocessors
      *value = 4;
      return shim::success;
    case 75:  // compute capability 9.0
      *value = 9;
      return shim::success;
    case 76:
      *value = 0;
      return shim::success;
    case 115:  // memory pools
      *value = 1;
      return shim::success;
    default:
      return shim::invalid_value;
  }
}
int cuDevicePrimaryCtxRetain(void** made, int) {
  *made = &context;
  return is_initialised ? shim::success : shim::not_initialised;
}
int cuCtxSetCurrent(void* one) {
  if (one != &context) return shim::invalid_context;
  current_context = one;
  return shim::success;
}
int cuStreamCreate(void** made, unsigned) {
  *made = &stream_object;
  return in_context([] { return shim::success; });
}
int cuStreamSynchronize(void* stream) {
  return in_stream(stream, [] { return driver().run_all(); });
}

int cuMemAllocAsync(Address* made, std::size_t bytes, void* stream) {
  return in_stream(stream, [&] {
    if (bytes == 0) return shim::invalid_value;
    if (driver().error != shim::success) return driver().error;
    *made = driver().memory.allocate(bytes);
    return *made == 0 ? shim::out_of_memory : shim::success;
  });
}
int cuMemFreeAsync(Address address, void* stream) {
  return in_stream(stream, [=] {
    if (driver().memory.find(address, 1) == nullptr) return shim::invalid_value;
    return driver().ask(
        [=] { return driver().memory.free(address) ? shim::success : shim::invalid_value; });
  });
}
int cuMemAlloc_v2(Address* made, std::size_t bytes) {
  return cuMemAllocAsync(made, bytes, &stream_object);
}
int cuMemFree_v2(Address address) {
  cuStreamSynchronize(&stream_object);
  return cuMemFreeAsync(address, &stream_object);
}
int cuMemHostAlloc(void** made, std::size_t bytes, unsigned) {
  return in_context([&] {
    *made = std::malloc(bytes);
    driver().pinned_bytes[reinterpret_cast<std::uintptr_t>(*made)] = bytes;
    return shim::success;
  });
}

/// From page-locked memory what is there when the copy's turn has come, else what is there now.
int cuMemcpyHtoDAsync_v2(Address to, void const* from, std::size_t bytes, void* stream) {
  return in_stream(stream, [=] {
    if (driver().memory.find(to, bytes) == nullptr) return shim::invalid_value;
    auto const* const source = static_cast<char const*>(from);
    bool const is_pinned = driver().is_pinned(from, bytes);
    std::string const kept = is_pinned ? std::string() : std::string(source, bytes);
    return driver().ask([=] {
      std::byte* const there = driver().memory.find(to, bytes);
      if (there == nullptr) return shim::illegal_address;
      std::memcpy(there, is_pinned ? source : kept.data(), bytes);
      return shim::success;
    });
  });
}
int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* stream) {
  return in_stream(stream, [=] {
    if (driver().memory.find(from, bytes) == nullptr) return shim::invalid_value;
    int const asked = driver().ask([=] {
      std::byte const* const there = driver().memory.find(from, bytes);
      if (there == nullptr) return shim::illegal_address;
      std::memcpy(to, there, bytes);
      return shim::success;
    });
    return asked == shim::success && !driver().is_pinned(to, bytes) ? driver().run_all() : asked;
  });
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void* stream) {
  return in_stream(stream, [=] {
    return driver().ask([=] {
      std::byte* const there = driver().memory.find(to, bytes);
      std::byte const* const here = driver().memory.find(from, bytes);
      if (there == nullptr || here == nullptr) return shim::illegal_address;
      std::memmove(there, here, bytes);
      return shim::success;
    });
  });
}
int cuMemsetD8Async(Address to, unsigned char byte, std::size_t bytes, void* stream) {
  return in_stream(stream, [=] {
    return driver().ask([=] {
      std::byte* const there = driver().memory.find(to, bytes);
      if (there == nullptr) return shim::illegal_address;
      std::memset(there, byte, bytes);
      return shim::success;
    });
  });
}

int cuEventCreate(void** made, unsigned) {
  return in_context([&] {
    *made = handle(new Event);
    return shim::success;
  });
}
int cuEventRecord(void* event, void* stream) {
  return in_stream(stream, [=] {
    if (!is_handle(event)) return shim::invalid_handle;
    static_cast<Event*>(event)->place = driver().asked;
    return shim::success;
  });
}
int cuEventSynchronize(void* event) {
  return in_context([=] {
    if (!is_handle(event)) return shim::invalid_handle;
    return driver().run_until(static_cast<Event*>(event)->place);
  });
}

/// What the fake compiler has written: "shim", the name of a library, 1 where kernels meet
/// barriers.
int cuModuleLoadData(void** made, void const* image) {
  return in_context([=] {
    std::istringstream in(static_cast<char const*>(image));
    std::string word, path;
    int has_barriers = 0;
    in >> word >> path >> has_barriers;
    void* const library = word == "shim" ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (library == nullptr) return shim::invalid_image;
    *made = handle(new Module{library, has_barriers != 0});
    return shim::success;
  });
}
int cuModuleGetFunction(void** made, void* module, char const* name) {
  return in_context([=] {
    if (!is_handle(module)) return shim::invalid_handle;
    auto const* const own = static_cast<Module const*>(module);
    void* const entry = dlsym(own->library, ("call_" + std::string(name)).c_str());
    void* const kinds = dlsym(own->library, ("kinds_" + std::string(name)).c_str());
    if (entry == nullptr || kinds == nullptr) return shim::not_found;
    auto const text = reinterpret_cast<char const* (*)()>(kinds)();
    *made = handle(new FakeFunction{reinterpret_cast<shim::Entry>(entry), text, own->has_barriers});
    return shim::success;
  });
}
int cuLaunchKernel(void* function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                   unsigned members_x, unsigned members_y, unsigned members_z, unsigned,
                   void* stream, void** arguments, void**) {
  return in_stream(stream, [=] {
    if (!is_handle(function)) return shim::invalid_handle;
    std::size_t const members = std::size_t{members_x} * members_y * members_z;
    bool const has_groups = groups_x > 0 && groups_y > 0 && groups_z > 0;
    if (members == 0 || members > 1024 || !has_groups) return shim::invalid_value;
    return driver().launch(*static_cast<FakeFunction const*>(function),
                           {groups_x, groups_y, groups_z}, {members_x, members_y, members_z},
                           arguments);
  });
}

int cuGetErrorString(int code, char const** text) {
  switch (code) {
    case shim::invalid_value:
      *text = "invalid argument";
      return shim::success;
    case shim::out_of_memory:
      *text = "out of memory";
      return shim::success;
    case shim::illegal_address:
      *text = "an illegal memory access was encountered";
      return shim::success;
    default:
      *text = "an error of the fake driver";
      return shim::success;
  }
}

/// Not of CUDA: a device that an error has ended begins anew, with its memory.
void fake_forget_error() { driver().error = shim::success; }

/// Not of CUDA: where memory of the device is on the host; null where it is not all there.
void* fake_memory(Address address, std::size_t bytes) {
  return driver().memory.find(address, bytes);
}
/// Not of CUDA: has something done in the order of the stream.
int fake_ask(void* stream, int (*what)(void*), void* with) {
  return in_stream(stream, [=] { return driver().ask([=] { return what(with); }); });
}
}
