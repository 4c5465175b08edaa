#pragma once

#include <tenon/backend/codegen/print/kernel_source.hpp>

namespace tenon::internal::dialect {

/// C11. Compile it with `-ffp-contract=off` for the same bits as other backends.
struct C {
  static constexpr codegen::Dialect text{.name = "C",
                                         .prelude =
                                             "#include <math.h>\n"
                                             "#include <stdint.h>\n"
                                             "#include <string.h>\n"
                                             R"(
typedef float f32;
typedef double f64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef _Bool mask;

static inline f32 sqrt_f32(f32 x) { return sqrtf(x); }
static inline f64 sqrt_f64(f64 x) { return sqrt(x); }
static inline f32 floor_f32(f32 x) { return floorf(x); }
static inline f64 floor_f64(f64 x) { return floor(x); }
static inline f32 round_f32(f32 x) { return rintf(x); }
static inline f64 round_f64(f64 x) { return rint(x); }
static inline f32 abs_f32(f32 x) { return fabsf(x); }
static inline f64 abs_f64(f64 x) { return fabs(x); }
static inline f32 copysign_f32(f32 x, f32 y) { return copysignf(x, y); }
static inline f64 copysign_f64(f64 x, f64 y) { return copysign(x, y); }

// Rounded once where the machine can: elsewhere the C library would be slow.
#if defined(__FMA__) || defined(__aarch64__)
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return fmaf(x, y, z); }
static inline f64 fma_f64(f64 x, f64 y, f64 z) { return fma(x, y, z); }
#else
static inline f32 fma_f32(f32 x, f32 y, f32 z) { return x * y + z; }
static inline f64 fma_f64(f64 x, f64 y, f64 z) { return x * y + z; }
#endif

static inline u32 bits_f32(f32 x) { u32 b; memcpy(&b, &x, sizeof b); return b; }
static inline u64 bits_f64(f64 x) { u64 b; memcpy(&b, &x, sizeof b); return b; }
static inline f32 from_bits_f32(u32 b) { f32 x; memcpy(&x, &b, sizeof x); return x; }
static inline f64 from_bits_f64(u64 b) { f64 x; memcpy(&x, &b, sizeof x); return x; }
static inline u32 multiply_high_u32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
static inline u64 multiply_high_u64(u64 a, u64 b) {
  u64 const low = (a & 0xffffffffu) * (b & 0xffffffffu), first = (a >> 32) * (b & 0xffffffffu);
  u64 const second = (a & 0xffffffffu) * (b >> 32) + (low >> 32) + (first & 0xffffffffu);
  return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

)",
                                         .function = "static inline $0 $1($2)",
                                         .parameter = "$0 $1",
                                         .table = "static u64 const $0[$1] = {$2};",
                                         .kernel = "void $0($1)",
                                         .result = "$0* restrict $1",
                                         .operand = "$0 const* restrict $1",
                                         .size = "$0 $1",
                                         .rows = "for (i64 row = 0; row < $0; ++row)"};
};

}  // namespace tenon::internal::dialect

namespace tenon::internal {

/// The same in C.
template <SupportedIn<dialect::C> X>
std::string kernel_source(X const& expression, KernelText const& options = {}) {
  return kernel_source<dialect::C>(expression, options);
}
template <Expression X, class R = KernelSourceMistake<dialect::C, X>>
  requires(!SupportedIn<X, dialect::C>)
auto kernel_source(X const&, KernelText const& = {}) -> R;
template <class X, class R = Refused<Named<"kernel_source">, X>>
auto kernel_source(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::kernel_source;

}  // namespace tenon

namespace tenon::dialect {

using internal::dialect::C;

}  // namespace tenon::dialect
