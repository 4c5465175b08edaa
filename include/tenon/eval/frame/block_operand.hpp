#pragma once

#include <cstdint>
#include <limits>

#include <tenon/eval/frame/map.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal {

/// The operand of one block of a reduction over at most `most_values` values: the operand itself.
template <class Op, class F>
struct BlockOperand {
  using type = F;  ///< Over the same inputs.
  static constexpr std::int64_t most_values = (std::numeric_limits<std::int64_t>::max)();

  TENON_INLINE static auto whole(auto const& sum) { return sum; }
};

/// A sum of 8- and 16-bit integers has 64 bits, but the sum of one block fits 32: twice as many
/// lanes per register.
template <class M, class Wide, class A>
  requires IntegerType<Wide> && IntegerType<typename A::value_type> &&
           (sizeof(typename A::value_type) <= 2 && sizeof(Wide) == 8)
struct BlockOperand<op::SumReduction, MapFrame<M, op::Cast<Wide>, A>> {
  using type = MapFrame<M, op::Cast<std::int32_t>, A>;
  static constexpr std::int64_t most_values = 1 << 15;  ///< Each is below 2^16, so the sum is below
                                                        ///< 2^31.

  TENON_INLINE static auto whole(auto const& sum) { return op::Cast<Wide>::f(sum); }
};

}  // namespace tenon::internal
