#pragma once

#include <tenon/eval/frame/map.hpp>
#include <tenon/op/list.hpp>

namespace tenon {

/// What a formula costs per element, in simple operations. (Elementary functions: about ten.)
template <class F>
inline constexpr int cost = 0;
template <class M, class Op, class... F>
inline constexpr int cost<MapFrame<M, Op, F...>> =
    (op::is_one_of<Op>(op::Elementary{}) ? 10 : 1) + (0 + ... + cost<F>);

/// Below this an operation waits for the one before it, rather than for the elements.
inline constexpr int cost_of_a_step = 6;

}  // namespace tenon
