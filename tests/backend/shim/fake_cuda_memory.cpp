// The memory of the fake driver: CUDA's memory functions with their argument checks.

#include <cstdlib>
#include <cstring>
#include <string>

#include "fake_context.hpp"

using shim::driver;
using shim::in_context;
using shim::in_stream;
using shim::unrecorded;
using Address = shim::FakeMemory::Address;

namespace {

int allocated(Address* made, std::size_t bytes) {
  if (bytes == 0) return shim::invalid_value;
  if (driver().error != shim::success) return driver().error;
  *made = driver().memory.allocate(bytes);
  return *made == 0 ? shim::out_of_memory : shim::success;
}

}  // namespace

extern "C" {

int cuMemAllocAsync(Address* made, std::size_t bytes, void* stream) {
  return in_stream(
      stream, [=] { return allocated(made, bytes); }, false);
}
int cuMemFreeAsync(Address address, void* stream) {
  return in_stream(stream, [=] {
    if (driver().memory.find(address, 1) == nullptr) return shim::invalid_value;
    return driver().ask(
        [=] { return driver().memory.free(address) ? shim::success : shim::invalid_value; });
  });
}
int cuMemAlloc_v2(Address* made, std::size_t bytes) {
  return unrecorded([=] { return allocated(made, bytes); });
}
int cuMemFree_v2(Address address) {
  return unrecorded([=] {
    int const code = driver().run_all();
    if (!driver().memory.free(address)) return shim::invalid_value;
    return code;
  });
}
int cuMemGetInfo_v2(std::size_t* left, std::size_t* all) {
  return in_context([=] {
    *all = shim::FakeMemory::most_bytes;
    *left = *all - driver().memory.used();
    return shim::success;
  });
}
int cuMemHostAlloc(void** made, std::size_t bytes, unsigned) {
  return unrecorded([&] {
    *made = std::malloc(bytes);
    driver().pinned_bytes[reinterpret_cast<std::uintptr_t>(*made)] = bytes;
    return shim::success;
  });
}
int cuMemFreeHost(void* memory) {
  return unrecorded([=] {
    if (driver().pinned_bytes.erase(reinterpret_cast<std::uintptr_t>(memory)) == 0)
      return shim::invalid_value;
    std::free(memory);
    return shim::success;
  });
}

/// Page-locked memory is read when the copy executes, other memory at the time of the call.
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

/// Not in CUDA: the host address of device memory; null if the range is not all allocated.
void* fake_memory(Address address, std::size_t bytes) {
  return driver().memory.find(address, bytes);
}
/// Not in CUDA: enqueues a function in the stream.
int fake_ask(void* stream, std::function<int()> const& what) {
  return in_stream(stream, [&] { return driver().ask(what); });
}
/// Not in CUDA: the number of matmuls, the compute type and the epilogue of the last one; the
/// number of kernels launched.
int fake_counts[4] = {};
}
