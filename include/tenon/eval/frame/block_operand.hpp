#pragma once

#include <cstdint>
#include <limits>

#include <tenon/eval/frame/map.hpp>
#include <tenon/op/fold.hpp>

namespace tenon {

/// What a block of a fold adds up, of at most `most_values` values: the operand itself.
template <class Op, class F>
struct BlockOperand {
  using type = F;  ///< Of the same inputs.
  static constexpr std::int64_t most_values = std::numeric_limits<std::int64_t>::max();

  TENON_INLINE static auto whole(auto const& sum) { return sum; }
};

/// A sum of integers of 8 and 16 bits has 64 bits, but a block of it fits 32: twice as many lanes
/// in a register.
template <class M, class Wide, class A>
  requires IntegerType<Wide> && IntegerType<typename A::value_type> &&
           (sizeof(typename A::value_type) <= 2 && sizeof(Wide) == 8)
struct BlockOperand<op::SumFold, MapFrame<M, op::Cast<Wide>, A>> {
  using type = MapFrame<M, op::Cast<std::int32_t>, A>;
  static constexpr std::int64_t most_values = 1 << 15;  ///< Each below 2^16, the sum below 2^31.

  TENON_INLINE static auto whole(auto const& sum) { return op::Cast<Wide>::f(sum); }
};

}  // namespace tenon
