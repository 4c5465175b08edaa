#pragma once

#include <concepts>

#include <tenon/eval/frame/frames.hpp>

/// Finds the maps of a kernel that occur more than once and cost more than a few operations, and
/// stores them in a shared row.
namespace tenon::internal {

inline constexpr int cost_worth_sharing = 6;

/// The number of occurrences of a formula in the formula `Tree`.
template <class F, class Tree>
inline constexpr int occurrences = std::same_as<F, Tree> ? 1 : 0;
template <class F, class M, class Op, class... G>
inline constexpr int occurrences<F, MapFrame<M, Op, G...>> =
    std::same_as<F, MapFrame<M, Op, G...>> ? 1 : (0 + ... + occurrences<F, G>);
template <class F, class M, class G>
inline constexpr int occurrences<F, ScalarFrame<M, G>> = occurrences<F, G>;
template <class F, class M, class Op, class G>
inline constexpr int occurrences<F, ReductionFrame<M, Op, G>> = occurrences<F, G>;
template <class F, class M, class Op, class G>
inline constexpr int occurrences<F, PositionFrame<M, Op, G>> = occurrences<F, G>;

template <class F, class Root>
concept WorthSharing = (cost<F> >= cost_worth_sharing) && (occurrences<F, Root> > 1);

/// The frame `F` of the kernel `Root`, with shared rows for the subexpressions that are worth it.
template <class Root, class F>
struct SharingRows {
  using type = F;
};
template <class Root, class F>
using WithSharedRows = typename SharingRows<Root, F>::type;

template <class Root, class M, class F>
struct SharingRows<Root, ScalarFrame<M, F>> {
  using type = ScalarFrame<M, WithSharedRows<Root, F>>;
};
template <class Root, class M, class Op, class F>
struct SharingRows<Root, ReductionFrame<M, Op, F>> {
  using type = ReductionFrame<M, Op, WithSharedRows<Root, F>>;
};
template <class Root, class M, class Op, class F>
struct SharingRows<Root, PositionFrame<M, Op, F>> {
  using type = PositionFrame<M, Op, WithSharedRows<Root, F>>;
};
template <class Root, class M, class Op, class... F>
struct SharingRows<Root, MapFrame<M, Op, F...>> {
  using type = MapFrame<M, Op, WithSharedRows<Root, F>...>;
};
template <class Root, class M, class Op, class... F>
  requires WorthSharing<MapFrame<M, Op, F...>, Root>
struct SharingRows<Root, MapFrame<M, Op, F...>> {
  using type = SharedFrame<M, MapFrame<M, Op, WithSharedRows<Root, F>...>>;
};

}  // namespace tenon::internal
