// The CUDA device of the tests: a real one, or the fake in this folder.

#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace shim {

/// True if the driver of this machine has a device.
inline bool has_real_device() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return false;
  auto const init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  auto const ask = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  int count = 0;
  bool const has_any = init(0) == 0 && ask(&count) == 0 && count > 0;
  if (!has_any) dlclose(driver);
  return has_any;
}

/// The fake libraries have the names of NVIDIA's: once they are open, dlopen finds them.
inline bool opens_fake() {
#ifdef TENON_FAKE_CUDA
  for (char const* const name : {"libcuda.so.1", "libnvrtc.so.13", "libcublasLt.so.13"})
    if (dlopen((std::string(TENON_FAKE_CUDA "/") + name).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
      return false;
  return std::system("${CXX:-c++} --version > /dev/null 2>&1") == 0;
#else
  return false;
#endif
}

enum class Device { none, fake, real };

/// Must be called before the first use of `Cuda`. With TENON_GPU_TINY, which `scripts/gpu
/// --stand-in` sets, the fake is used beside a real device as well.
inline Device cuda_device() {
  static Device const device = [] {
    Device const found = std::getenv("TENON_GPU_TINY") == nullptr && has_real_device()
                             ? Device::real
                         : opens_fake() ? Device::fake
                                        : Device::none;
    if (found == Device::none) MESSAGE("skipped: there is no device of CUDA, nor the fake of one");
    if (found == Device::fake) MESSAGE("on a fake device of CUDA: kernels run on the host");
    if (found == Device::real) MESSAGE("on a device of CUDA");
    return found;
  }();
  return device;
}

/// A function of the fake library.
template <class F>
F fake_function(char const* name) {
  return reinterpret_cast<F>(dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), name));
}

/// Counts of the calls to the fake so far; zero on a real device.
struct Counts {
  int products, compute, epilogue, kernels;  ///< `compute` and `epilogue`: of the last matmul.
};
inline Counts counts() {
  return cuda_device() == Device::fake ? *fake_function<Counts*>("fake_counts") : Counts{};
}
/// True if the fake has computed this many more matmuls and kernels since `before`; always true on
/// a real device.
inline bool was_asked(Counts before, int products, int kernels) {
  Counts const now = counts();
  INFO("products: " << now.products - before.products
                    << ", kernels: " << now.kernels - before.kernels);
  bool const is_so =
      now.products - before.products == products && now.kernels - before.kernels == kernels;
  CHECK((is_so || cuda_device() != Device::fake));
  return is_so || cuda_device() != Device::fake;
}

}  // namespace shim
