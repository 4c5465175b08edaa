#pragma once

#include <tenon/backend/codegen/print/kernel_source.hpp>

namespace tenon::internal::dialect {

/// OpenCL C 1.2 with doubles, supported by every OpenCL 2 device with doubles.
struct OpenClC {
  static constexpr codegen::Dialect text{
      .name = "OpenCL C",
      .prelude = R"(#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef float f32;
typedef double f64;
typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef uchar mask;

// A processor has one work item for a long chunk of rows: compilers make vectors of plain loops.
#ifdef ROWS_IN_CHUNKS
static inline i64 first_row(i64 count) {
  return count * (i64)get_global_id(0) / (i64)get_global_size(0);
}
static inline i64 past_row(i64 count) {
  return count * ((i64)get_global_id(0) + 1) / (i64)get_global_size(0);
}
static inline i64 row_step() { return 1; }
#else
static inline i64 first_row(i64 count) { return get_global_id(0); }
static inline i64 past_row(i64 count) { return count; }
static inline i64 row_step() { return get_global_size(0); }
#endif

// The functions of the language are calls to PoCL, and end vectors; these are instructions.
#if defined(ROWS_IN_CHUNKS) && defined(__clang__)
static inline f32 sqrt_f32(f32 x) { return __builtin_sqrtf(x); }
static inline f64 sqrt_f64(f64 x) { return __builtin_sqrt(x); }
static inline f32 floor_f32(f32 x) { return __builtin_floorf(x); }
static inline f64 floor_f64(f64 x) { return __builtin_floor(x); }
static inline f32 round_f32(f32 x) { return __builtin_rintf(x); }
static inline f64 round_f64(f64 x) { return __builtin_rint(x); }
static inline f32 abs_f32(f32 x) { return __builtin_fabsf(x); }
static inline f64 abs_f64(f64 x) { return __builtin_fabs(x); }
static inline f32 copysign_f32(f32 x, f32 y) { return __builtin_copysignf(x, y); }
static inline f64 copysign_f64(f64 x, f64 y) { return __builtin_copysign(x, y); }
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return __builtin_fmaf(x, y, z); }
static inline f64 fma_f64(f64 x, f64 y, f64 z) { return __builtin_fma(x, y, z); }
#else
static inline f32 sqrt_f32(f32 x) { return sqrt(x); }
static inline f64 sqrt_f64(f64 x) { return sqrt(x); }
static inline f32 floor_f32(f32 x) { return floor(x); }
static inline f64 floor_f64(f64 x) { return floor(x); }
static inline f32 round_f32(f32 x) { return rint(x); }
static inline f64 round_f64(f64 x) { return rint(x); }
static inline f32 abs_f32(f32 x) { return fabs(x); }
static inline f64 abs_f64(f64 x) { return fabs(x); }
static inline f32 copysign_f32(f32 x, f32 y) { return copysign(x, y); }
static inline f64 copysign_f64(f64 x, f64 y) { return copysign(x, y); }
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return fma(x, y, z); }
static inline f64 fma_f64(f64 x, f64 y, f64 z) { return fma(x, y, z); }
#endif
static inline u32 bits_f32(f32 x) { return as_uint(x); }
static inline u64 bits_f64(f64 x) { return as_ulong(x); }
static inline f32 from_bits_f32(u32 b) { return as_float(b); }
static inline f64 from_bits_f64(u64 b) { return as_double(b); }
static inline u32 multiply_high_u32(u32 a, u32 b) { return mul_hi(a, b); }
static inline u64 multiply_high_u64(u64 a, u64 b) { return mul_hi(a, b); }

)",
      .function = "static inline $0 $1($2)",
      .parameter = "$0 $1",
      .table = "__constant u64 $0[$1] = {$2};",
      .kernel = "__kernel void $0($1)",
      .result = "__global $0* restrict $1",
      .operand = "__global $0 const* restrict $1",
      .size = "$0 $1",
      .rows =
          "for (i64 row = first_row($0), past = past_row($0), step = row_step(); row < past; "
          "row += step)",
      .group_kernel = "__kernel __attribute__((reqd_work_group_size($2, 1, 1))) void $0($1)",
      .group = "(i64)get_group_id(0)",
      .groups = "(i64)get_num_groups(0)",
      .member = "(i64)get_local_id(0)",
      .shared = "__local $0 $1[$2];",
      .barrier = "barrier(CLK_LOCAL_MEM_FENCE);"};
};

}  // namespace tenon::internal::dialect

namespace tenon::dialect {

using internal::dialect::OpenClC;

}  // namespace tenon::dialect
