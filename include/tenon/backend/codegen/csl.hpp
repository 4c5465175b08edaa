#pragma once

#include <tenon/backend/codegen/print/kernel_source.hpp>

namespace tenon::internal::dialect {

/// CSL, the language of processing elements on Cerebras' wafers (sdk.cerebras.ai/csl): each kernel
/// is a function that computes all rows, for a program that has the tensors in the memory of one
/// element and exports the function. There is no `f64`.
struct Csl {
  static constexpr codegen::Dialect text{
      .name = "CSL",
      .prelude =
          R"(const math = @import_module("<math>");
const mask = bool;

fn sqrt_f32(x: f32) f32 { return math.sqrt(x); }
fn floor_f32(x: f32) f32 { return math.floor(x); }
fn abs_f32(x: f32) f32 { return from_bits_f32(bits_f32(x) & 0x7fffffff); }
fn copysign_f32(x: f32, y: f32) f32 {
  return from_bits_f32((bits_f32(x) & 0x7fffffff) | (bits_f32(y) & 0x80000000));
}
// To even: a float from 2^23 on is an integer.
fn round_f32(x: f32) f32 {
  const integral = copysign_f32(8388608.0, x);
  return if (abs_f32(x) < 8388608.0) copysign_f32((x + integral) - integral, x) else x;
}
fn fma_f32(x: f32, y: f32, z: f32) f32 { return x * y + z; }
fn bits_f32(x: f32) u32 { return @bitcast(u32, x); }
fn from_bits_f32(b: u32) f32 { return @bitcast(f32, b); }
fn multiply_high_u32(a: u32, b: u32) u32 { return @as(u32, @as(u64, a) * @as(u64, b) >> 32); }
fn multiply_high_u64(a: u64, b: u64) u64 {
  const low = (a & 0xffffffff) * (b & 0xffffffff);
  const first = (a >> 32) * (b & 0xffffffff);
  const second = (a & 0xffffffff) * (b >> 32) + (low >> 32) + (first & 0xffffffff);
  return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

)",
      .function = "fn $1($2) $0",
      .parameter = "$1: $0",
      .table = "const $0 = [$1]u64{$2};",
      .kernel = "fn $0($1) void",
      .result = "$1: [*]$0",
      .operand = "$1: [*]const $0",
      .size = "$1: $0",
      .rows = "for (@range(i64, $0)) |row|",
      .has_double = false,
      .has_typed_numbers = false,
      .constant = "const $1: $0 = $2;",
      .variable = "var $1: $0 = $2;",
      .array = "var $1 = @zeros([$2]$0);",
      .increment = "$0 += 1;",
      .count = "$0 += 1;\nif ($0 == $1)",
      .loop = "for (@range($0, $2, $3, 1)) |$1|",
      .strided_loop = "for (@range($0, $2, $3, $4)) |$1|",
      .search = "while ($1) : ($0 += 1)",
      .search_from_zero = "var $0: i32 = 0;\nwhile ($1) : ($0 += 1)",
      .cast = "@as($0, $1)",
      .select = "if ($0) $1 else $2",
      .either = "$0 or $1",
      .mask_and = "$0 and $1",
      .mask_or = "$0 or $1",
      .mask_xor = "$0 != $1"};
};

}  // namespace tenon::internal::dialect

namespace tenon::dialect {

using internal::dialect::Csl;

}  // namespace tenon::dialect
