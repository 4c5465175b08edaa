#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tenon/eval/frame/frame.hpp>
#include <tenon/op/list.hpp>

namespace tenon::internal {

template <class Op, class... V>
struct ValueOfOp {
  using type = std::remove_cvref_t<decltype(Op::f(std::declval<V>()...))>;
};

/// A map of frames, as a type only: `Formula` stores the frames below it that are not maps, `Trace`
/// stores its values.
template <class M, class Op, class... F>
struct MapFrame {
  using V = typename ValueOfOp<Op, typename F::V...>::type;
  using value_type = intrinsics::scalar_of<V>;
  using op = Op;
};

template <class M, class Op, class... F>
inline constexpr int reduction_depth<MapFrame<M, Op, F...>> =
    (std::max)({0, reduction_depth<F>...});

template <class M, class Op, class... F>
inline constexpr bool has_row_values<MapFrame<M, Op, F...>> = (has_row_values<F> || ...);

/// The cost of a formula per element, in simple operations. (Elementary functions: about ten.)
template <class F>
inline constexpr int cost = 0;
template <class M, class Op, class... F>
inline constexpr int cost<MapFrame<M, Op, F...>> =
    (op::is_one_of<Op>(op::Elementary{}) ? 10 : 1) + (0 + ... + cost<F>);

/// Below this cost a loop is bound by the latency of the accumulation rather than by the elements.
inline constexpr int cost_of_a_step = 6;

}  // namespace tenon::internal
