#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tenon/backend/codegen/launch/library.hpp>
#include <tenon/core/error.hpp>

/// The functions of OpenCL, resolved at run time: a program also starts on a machine without
/// OpenCL. Names, argument orders and numbers are those of the OpenCL 3.0 API Specification
/// (Khronos, 2020).
namespace tenon::internal::opencl {

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

/// The description of an error code.
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
  codegen::Library library_{"libOpenCL.so.1", "OpenCL.dll"};

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
  codegen::Library::Address find(char const* name) const { return library_.find(name); }
};

/// Throws `DeviceError` if a call failed; `what` describes it.
inline void check(Code code, std::string_view what) {
  if (code == 0) return;
  std::string const got = words(code);
  fail<DeviceError>({.who = "opencl", .what = what, .expected = "success", .got = got});
}

}  // namespace tenon::internal::opencl
