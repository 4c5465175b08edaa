#pragma once

#include <tenon/backend/codegen/print/kernel_source.hpp>

// Not run on a device of Apple so far: tests compile this text with address spaces, by clang, and
// run it on the host.

namespace tenon::internal::dialect {

/// Metal Shading Language 2.3 (C++14 with address spaces), without double. The indices of a work
/// item are kernel parameters. Subnormal numbers are flushed to zero on Apple's devices.
struct MetalC {
  static constexpr codegen::Dialect text{
      .name = "Metal",
      .prelude = R"(#include <metal_stdlib>
#pragma METAL fp contract(off)

typedef float f32;
typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef bool mask;

static inline f32 sqrt_f32(f32 x) { return metal::precise::sqrt(x); }
static inline f32 floor_f32(f32 x) { return metal::floor(x); }
static inline f32 round_f32(f32 x) { return metal::rint(x); }
static inline f32 abs_f32(f32 x) { return metal::fabs(x); }
static inline f32 copysign_f32(f32 x, f32 y) { return metal::copysign(x, y); }
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return metal::fma(x, y, z); }
static inline u32 bits_f32(f32 x) { return as_type<u32>(x); }
static inline f32 from_bits_f32(u32 b) { return as_type<f32>(b); }
static inline u32 multiply_high_u32(u32 a, u32 b) { return metal::mulhi(a, b); }
static inline u64 multiply_high_u64(u64 a, u64 b) {
  u64 const low = (a & 0xffffffffu) * (b & 0xffffffffu), first = (a >> 32) * (b & 0xffffffffu);
  u64 const second = (a & 0xffffffffu) * (b >> 32) + (low >> 32) + (first & 0xffffffffu);
  return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

)",
      .function = "static inline $0 $1($2)",
      .parameter = "$0 $1",
      .table = "constant u64 $0[$1] = {$2};",
      .kernel =
          "kernel void $0($1, u32 item_place [[thread_position_in_grid]], "
          "u32 item_count [[threads_per_grid]])",
      .result = "device $0* $1 [[buffer($2)]]",
      .operand = "device $0 const* $1 [[buffer($2)]]",
      .size = "constant $0& $1 [[buffer($2)]]",
      .rows = "for (i64 row = item_place; row < $0; row += item_count)",
      .has_double = false,
      .group_kernel =
          "[[max_total_threads_per_threadgroup($2)]] kernel void $0($1, "
          "u32 group_place [[threadgroup_position_in_grid]], "
          "u32 group_count [[threadgroups_per_grid]], "
          "u32 member_place [[thread_position_in_threadgroup]])",
      .group = "(i64)group_place",
      .groups = "(i64)group_count",
      .member = "(i64)member_place",
      .shared = "threadgroup $0 $1[$2];",
      .barrier = "metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);"};
};

}  // namespace tenon::internal::dialect

namespace tenon::dialect {

using internal::dialect::MetalC;

}  // namespace tenon::dialect
