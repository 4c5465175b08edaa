// CUDA C as C++: prepended to the text of a kernel.

#pragma once

#include "kernel.hpp"

#define __global__
#define __device__
#define __constant__ static const
#define __forceinline__ inline
#define __restrict__ __restrict
#define __shared__ static
#define __launch_bounds__(...)
#define threadIdx (shim::here->member)
#define blockIdx (shim::here->group)
#define blockDim (shim::here->members)
#define gridDim (shim::here->groups)
#define __syncthreads() shim::meet()

extern "C" {
float sqrtf(float), floorf(float), rintf(float), fabsf(float), copysignf(float, float);
double sqrt(double), floor(double), rint(double), fabs(double), copysign(double, double);
}

static inline float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
static inline double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline double __dsqrt_rn(double x) { return sqrt(x); }

namespace shim {

template <class To, class From>
To same_bits(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &x, sizeof to);
  return to;
}

/// The calling convention of `cuLaunchKernel`: `arguments[i]` is the address of the i-th argument.
template <class... A, unsigned... k>
void call_with(void (*kernel)(A...), void* const* arguments, Places<k...>) {
  kernel(*static_cast<A*>(arguments[k])...);
}
template <class... A>
void call(void (*kernel)(A...), void* const* arguments) {
  call_with(kernel, arguments, typename PlacesOf<sizeof...(A)>::type());
}

}  // namespace shim

static inline unsigned __float_as_uint(float x) { return shim::same_bits<unsigned>(x); }
static inline float __uint_as_float(unsigned b) { return shim::same_bits<float>(b); }
static inline long long __double_as_longlong(double x) { return shim::same_bits<long long>(x); }
static inline double __longlong_as_double(long long b) { return shim::same_bits<double>(b); }
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>(static_cast<Wide>(a) * b >> 64);
}
