#pragma once

#include <tenon/eval/cost.hpp>
#include <tenon/eval/frame/column.hpp>
#include <tenon/eval/frame/gather.hpp>
#include <tenon/eval/frame/map.hpp>
#include <tenon/eval/frame/position.hpp>
#include <tenon/eval/frame/shared.hpp>

/// Finds the maps of a kernel that stand in it more than once and cost more than a few operations,
/// and lets them share a row.
namespace tenon {

inline constexpr int cost_worth_sharing = 6;

/// How often a formula stands in a row of the formula `Tree`.
template <class F, class Tree>
inline constexpr int occurrences = std::same_as<F, Tree> ? 1 : 0;
template <class F, class M, class Op, class... G>
inline constexpr int occurrences<F, MapFrame<M, Op, G...>> =
    std::same_as<F, MapFrame<M, Op, G...>> ? 1 : (0 + ... + occurrences<F, G>);
template <class F, class M, class G>
inline constexpr int occurrences<F, ScalarFrame<M, G>> = occurrences<F, G>;
template <class F, class M, class Op, class G>
inline constexpr int occurrences<F, FoldFrame<M, Op, G>> = occurrences<F, G>;
template <class F, class M, class Op, class G>
inline constexpr int occurrences<F, PositionFrame<M, Op, G>> = occurrences<F, G>;

template <class F, class Root>
concept WorthSharing = (cost<F> >= cost_worth_sharing) && (occurrences<F, Root> > 1);

/// A frame of the kernel `Root` in the row `row` (null: it stands still), with what is worth it
/// shared.
template <class Root, class F>
auto with_shared_rows(F const& frame, ScratchRow const*) {
  return frame;
}

template <class Root, class M, class F>
auto with_shared_rows(ScalarFrame<M, F> const& scalar, ScratchRow const*) {
  auto frame = with_shared_rows<Root>(scalar.frame, nullptr);
  return ScalarFrame<M, decltype(frame)>(frame);
}
template <class Root, class M, class Op, class F>
auto with_shared_rows(FoldFrame<M, Op, F> const& fold, ScratchRow const*) {
  auto frame = with_shared_rows<Root>(fold.frame, &fold.row);
  return FoldFrame<M, Op, decltype(frame)>(frame, fold.row);
}
template <class Root, class M, class Op, class F>
auto with_shared_rows(PositionFrame<M, Op, F> const& fold, ScratchRow const*) {
  auto frame = with_shared_rows<Root>(fold.frame, &fold.row);
  return PositionFrame<M, Op, decltype(frame)>(frame, fold.row);
}

template <class Root, class M, class Op, class... F, std::size_t... k>
auto with_shared_operands(MapFrame<M, Op, F...> const& map, ScratchRow const* row,
                          std::index_sequence<k...>) {
  return map_frame<M, Op>(with_shared_rows<Root>(operand_frame<k>(map), row)...);
}

template <class Root, class M, class Op, class... F>
auto with_shared_rows(MapFrame<M, Op, F...> const& map, ScratchRow const* row) {
  auto frame = with_shared_operands<Root>(map, row, std::index_sequence_for<F...>());
  if constexpr (WorthSharing<MapFrame<M, Op, F...>, Root>) {
    ScratchRow const still;
    return SharedFrame<M, decltype(frame)>(frame, row != nullptr ? *row : still);
  } else {
    return frame;
  }
}

}  // namespace tenon
