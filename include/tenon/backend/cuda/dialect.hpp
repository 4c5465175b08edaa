#pragma once

#include <tenon/backend/codegen/print/kernel_source.hpp>

namespace tenon::internal::dialect {

/// CUDA C++ for NVRTC, without headers. Compile it with `--fmad=false` for the same bits as other
/// backends: fused multiply-adds are explicit in the text.
struct CudaC {
  static constexpr codegen::Dialect text{
      .name = "CUDA C",
      .prelude = R"(typedef float f32;
typedef double f64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef bool mask;

static inline __device__ f32 sqrt_f32(f32 x) { return __fsqrt_rn(x); }
static inline __device__ f64 sqrt_f64(f64 x) { return __dsqrt_rn(x); }
static inline __device__ f32 floor_f32(f32 x) { return floorf(x); }
static inline __device__ f64 floor_f64(f64 x) { return floor(x); }
static inline __device__ f32 round_f32(f32 x) { return rintf(x); }
static inline __device__ f64 round_f64(f64 x) { return rint(x); }
static inline __device__ f32 abs_f32(f32 x) { return fabsf(x); }
static inline __device__ f64 abs_f64(f64 x) { return fabs(x); }
static inline __device__ f32 copysign_f32(f32 x, f32 y) { return copysignf(x, y); }
static inline __device__ f64 copysign_f64(f64 x, f64 y) { return copysign(x, y); }
static inline __device__ f32 fma_f32(f32 x, f32 y, f32 z) { return __fmaf_rn(x, y, z); }
static inline __device__ f64 fma_f64(f64 x, f64 y, f64 z) { return __fma_rn(x, y, z); }
static inline __device__ u32 bits_f32(f32 x) { return __float_as_uint(x); }
static inline __device__ u64 bits_f64(f64 x) { return (u64)__double_as_longlong(x); }
static inline __device__ f32 from_bits_f32(u32 b) { return __uint_as_float(b); }
static inline __device__ f64 from_bits_f64(u64 b) { return __longlong_as_double((i64)b); }
static inline __device__ u32 multiply_high_u32(u32 a, u32 b) { return __umulhi(a, b); }
static inline __device__ u64 multiply_high_u64(u64 a, u64 b) { return __umul64hi(a, b); }

)",
      .function = "static inline __device__ $0 $1($2)",
      .parameter = "$0 $1",
      .table = "__constant__ u64 $0[$1] = {$2};",
      .kernel = "extern \"C\" __global__ void $0($1)",
      .result = "$0* __restrict__ $1",
      .operand = "$0 const* __restrict__ $1",
      .size = "$0 $1",
      .rows =
          "for (i64 row = (i64)blockIdx.x * blockDim.x + threadIdx.x; row < $0; "
          "row += (i64)gridDim.x * blockDim.x)",
      .group_kernel = "extern \"C\" __global__ void __launch_bounds__($2) $0($1)",
      .group = "(i64)blockIdx.x",
      .groups = "(i64)gridDim.x",
      .member = "(i64)threadIdx.x",
      .shared = "__shared__ $0 $1[$2];",
      .barrier = "__syncthreads();"};
};

}  // namespace tenon::internal::dialect

namespace tenon::dialect {

using internal::dialect::CudaC;

}  // namespace tenon::dialect
