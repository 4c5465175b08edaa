#pragma once

#include <tenon/eval/frame/map.hpp>
#include <tenon/op/list.hpp>

namespace tenon::internal {

/// The cost of a formula per element, in simple operations. (Elementary functions: about ten.)
template <class F>
inline constexpr int cost = 0;
template <class M, class Op, class... F>
inline constexpr int cost<MapFrame<M, Op, F...>> =
    (op::is_one_of<Op>(op::Elementary{}) ? 10 : 1) + (0 + ... + cost<F>);

/// Below this cost a loop is bound by the latency of the accumulation rather than by the elements.
inline constexpr int cost_of_a_step = 6;

}  // namespace tenon::internal
