// Metal Shading Language as C++: prepended to the text of a kernel, which `metal_text.hpp` has
// prepared. Compiled by clang with its address spaces, which rejects code that mixes them.

#pragma once

#include "kernel.hpp"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

template <class To, class From>
static inline To as_type(From x) {
  static_assert(sizeof(To) == sizeof(From), "as_type: another size");
  To to;
  __builtin_memcpy(&to, &x, sizeof to);
  return to;
}

namespace metal {

static inline float floor(float x) { return __builtin_floorf(x); }
static inline float rint(float x) { return __builtin_rintf(x); }
static inline float fabs(float x) { return __builtin_fabsf(x); }
static inline float copysign(float x, float y) { return __builtin_copysignf(x, y); }
static inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
static inline uint mulhi(uint a, uint b) { return static_cast<uint>(ulong(a) * b >> 32); }

namespace precise {
static inline float sqrt(float x) { return __builtin_sqrtf(x); }
}  // namespace precise

enum class mem_flags { mem_none, mem_device, mem_threadgroup };
static inline void threadgroup_barrier(mem_flags) { shim::meet(); }

}  // namespace metal

namespace shim {

/// The attributes of a kernel's parameters for its work item; the grid has one axis.
static inline uint threads_per_threadgroup() { return here->members.x; }
static inline uint thread_position_in_threadgroup() { return here->member.x; }
static inline uint threadgroup_position_in_grid() { return here->group.x; }
static inline uint threadgroups_per_grid() { return here->groups.x; }
static inline uint threads_per_grid() { return here->members.x * here->groups.x; }
static inline uint thread_position_in_grid() {
  return here->group.x * here->members.x + here->member.x;
}

/// The binding of a `[[buffer]]`: memory, or the address of a number.
struct Memory {
  void* address;
  template <class T>
  operator T*() const {
    return (T*)address;
  }
};

}  // namespace shim

#if defined(__clang__)
#define device __attribute__((address_space(1)))
#define constant const __attribute__((address_space(2)))
#define threadgroup static __attribute__((address_space(3)))
#else
#define device
#define constant const
#define threadgroup static
#endif
#define thread
#define kernel static
