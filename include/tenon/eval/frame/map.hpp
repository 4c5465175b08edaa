#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tenon/eval/frame/frame.hpp>

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

}  // namespace tenon::internal
