#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/core/half.hpp>
#include <tenon/eval/contract/operand_memory.hpp>
#include <tenon/eval/contract/product.hpp>

/// Matmuls of 16-bit operands that a backend computes without a copy as `float`.
namespace tenon::internal {

/// Whether both operands of a contraction are cast, from a dtype that the backend multiplies, and
/// read without steps.
template <class Backend, class E>
inline constexpr bool multiplies_uncast = false;
template <class Backend, class E>
  requires(is_map<OperandAt<0, E>> && is_map<OperandAt<1, E>> &&
           std::same_as<UncastDtype<0, E>, UncastDtype<1, E>>)
inline constexpr bool multiplies_uncast<Backend, E> =
    Backend::template multiplies_halves<UncastDtype<0, E>> && !is_stepped<Uncast<0, E>> &&
    !is_stepped<Uncast<1, E>>;

/// The three bfloat16 parts of a float, which add up to it: each has eight bits of its significand.
/// (Parts below 1.2e-38 are flushed to zero in the matmul.)
struct SplitFloat {
  bfloat16 part[3];

  constexpr explicit SplitFloat(float x) {
    for (bfloat16& p : part) {
      auto const bits = std::bit_cast<std::uint32_t>(x) | (x != x ? 0x400000u : 0u);
      p = bfloat16::from_bits(static_cast<std::uint16_t>(bits >> 16));
      bool const is_finite = (bits & 0x7f800000u) != 0x7f800000u;
      x = is_finite ? x - std::bit_cast<float>(bits & 0xffff0000u) : 0.0f;
    }
  }
};

/// An adjoint in `float` as the sum of three bfloat16 parts: they are multiplied one after the
/// other, without loss of precision.
struct SplitAdjoint {
  std::int64_t size;
  SharedBuffer parts;

  template <class Backend>
  static SplitAdjoint of(float const* from, std::int64_t size) {
    SplitAdjoint split{size, SharedBuffer(3 * sizeof(bfloat16) * static_cast<std::size_t>(size))};
    constexpr std::int64_t at_once = std::int64_t{1} << 14;
    Backend::parallel_for((size + at_once - 1) / at_once, 0, [&](std::int64_t chunk, std::byte*) {
      std::int64_t const first = chunk * at_once, end = (std::min)(size, first + at_once);
      bfloat16* const to = split.parts.as<bfloat16>();
      for (std::int64_t i = first; i < end; ++i) {
        SplitFloat const x(from[i]);
        for (int p = 0; p < 3; ++p) to[p * size + i] = x.part[p];
      }
    });
    return split;
  }

  bfloat16 const* data() const { return parts.as<bfloat16>(); }
  /// The additional label of a contraction with the parts.
  LoopLabel label() const { return {3, size, 0, 0}; }
};

/// Whether an element is infinite. Times the zeros among the parts of an adjoint it would be NaN.
bool has_infinity(bfloat16 const* from, std::int64_t size);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME bool has_infinity(bfloat16 const* from, std::int64_t size) {
  int found = 0;
  for (std::int64_t i = 0; i < size; ++i) found |= (from[i].bits & 0x7fff) == 0x7f80;
  return found != 0;
}

}  // namespace tenon::internal

#endif
