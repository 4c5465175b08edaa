// A CUDA driver for machines without a device: its functions by name, as NVIDIA documents them,
// with their argument checks. The shim runs kernels on the host.

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "fake_context.hpp"

namespace {

using shim::driver;
using shim::FakeFunction;
using shim::handle;
using shim::in_context;
using shim::in_stream;
using shim::is_handle;
using shim::unrecorded;

struct Event {
  std::size_t place = 0;
};

struct Module {
  void* library;
  bool has_barriers;
};

}  // namespace

extern "C" {

extern int fake_counts[4];

int cuInit(unsigned flags) {
  shim::is_initialised = flags == 0;
  return flags == 0 ? shim::success : shim::invalid_value;
}
int cuDeviceGetCount(int* count) {
  *count = 1;
  return shim::is_initialised ? shim::success : shim::not_initialised;
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
  *made = &shim::context;
  return shim::is_initialised ? shim::success : shim::not_initialised;
}
int cuCtxSetCurrent(void* one) {
  if (one != &shim::context) return shim::invalid_context;
  shim::current_context = one;
  return shim::success;
}
int cuStreamCreate(void** made, unsigned) {
  return in_context([=] {
    *made = handle(new shim::FakeStream);
    return shim::success;
  });
}
int cuStreamDestroy_v2(void* stream) {
  return in_context([=] {
    if (driver().handles.erase(stream) == 0) return shim::invalid_handle;
    delete static_cast<shim::FakeStream*>(stream);
    return shim::success;
  });
}
int cuStreamSynchronize(void* stream) {
  return in_stream(
      stream, [] { return driver().run_all(); }, false);
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

/// The output of the fake compiler: "shim", the name of a library, and 1 if kernels have barriers.
int cuModuleLoadData(void** made, void const* image) {
  return unrecorded([=] {
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
    ++fake_counts[3];
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

/// Not in CUDA: resets a device that an error has ended, with its memory.
void fake_forget_error() { driver().error = shim::success; }
}
