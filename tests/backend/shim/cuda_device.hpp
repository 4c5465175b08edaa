// The device of CUDA that tests run on: a real one, or the fake beside this file.

#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace shim {

/// Does the driver of this machine have a device?
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

/// The fake libraries have the names of NVIDIA's: once they are open, they are what is found.
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

/// Asked for before the first use of `Cuda`.
inline Device cuda_device() {
  static Device const device = [] {
    Device const found = has_real_device() ? Device::real
                         : opens_fake()    ? Device::fake
                                           : Device::none;
    if (found == Device::none) MESSAGE("skipped: there is no device of CUDA, nor the fake of one");
    if (found == Device::fake) MESSAGE("on a fake device of CUDA: kernels run on the host");
    if (found == Device::real) MESSAGE("on a device of CUDA");
    return found;
  }();
  return device;
}

/// A function of the fake.
template <class F>
F fake_function(char const* name) {
  return reinterpret_cast<F>(dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), name));
}

/// What the fake was asked for so far; nothing is known of a real device.
struct Counts {
  int products, compute, epilogue, kernels;  ///< `compute` and `epilogue` of the last product.
};
inline Counts counts() {
  return cuda_device() == Device::fake ? *fake_function<Counts*>("fake_counts") : Counts{};
}
/// Was it asked for so many products and kernels more than before?
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
