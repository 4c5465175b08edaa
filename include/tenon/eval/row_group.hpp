#pragma once

#include <tenon/eval/frame/frames.hpp>
#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/rows/layout.hpp>

/// Reductions of short rows, some rows at a time: the lanes of several rows are reduced together,
/// to one row in each lane.
namespace tenon::internal {

/// Whether an input of a formula is the reduction of a row without row values of its own, and
/// whether it is a constant.
template <class F>
inline constexpr bool is_plain_reduction = false;
template <class M, class Op, class F>
  requires(!has_row_values<F> &&
           requires(typename F::V* values) { M::template reductions<Op>(values); })
inline constexpr bool is_plain_reduction<ReductionFrame<M, Op, F>> = true;
template <class F>
inline constexpr bool is_constant_input = false;
template <class M, class T>
inline constexpr bool is_constant_input<ConstantFrame<M, T>> = true;

/// The only reduction of a formula whose other inputs are constants.
template <class Inputs>
struct OnlyReduction;
template <class... F>
struct OnlyReduction<FrameNodes<F...>> {
  static constexpr bool exists =
      (... && (is_plain_reduction<F> || is_constant_input<F>)) &&
      (int{is_plain_reduction<F>} + ...) == 1;
  static constexpr std::size_t index = [] {
    constexpr std::array<bool, sizeof...(F)> is{is_plain_reduction<F>...};
    std::size_t i = 0;
    while (i < is.size() && !is[i]) ++i;
    return i;
  }();
};

/// Whether all inputs of a formula are constants, or tensors whose elements along a row are
/// adjacent.
template <class Inputs>
inline constexpr bool reads_adjacent = false;
template <class F>
inline constexpr bool is_adjacent = is_constant_input<F>;
template <class M, class T, FrameReach reach>
inline constexpr bool is_adjacent<LeafFrame<M, T, reach>> = reach != FrameReach::strided;
template <class... F>
inline constexpr bool reads_adjacent<FrameNodes<F...>> = (is_adjacent<F> && ...);

/// Whether short reductions are faster row by row, some rows at a time, than lane by lane.
template <class F>
inline constexpr bool is_faster_in_groups = false;
template <class M, class Op, class F>
inline constexpr bool is_faster_in_groups<ReductionFrame<M, Op, F>> = reads_adjacent<InputsOf<F>>;
template <class F, class Inputs = InputsOf<F>>
inline constexpr bool reduces_in_groups = false;
template <class F, class... I>
inline constexpr bool reduces_in_groups<F, FrameNodes<I...>> =
    OnlyReduction<FrameNodes<I...>>::exists && (is_faster_in_groups<I> || ...);

/// Whether a kernel computes several rows at a time.
template <class K>
inline constexpr bool groups_rows =
    K::is_of_scalar_rows && OnlyReduction<InputsOf<typename K::frame_type>>::exists;

/// Computes `rows` rows of a result, at most `M::count`, from that of the accesses on; they end at
/// the last one.
template <class M, class T, class K>
void run_row_group(RowLayout& layout, Accesses const& accesses, std::int64_t, std::int64_t rows) {
  using F = typename K::frame_type;
  constexpr std::size_t index = OnlyReduction<InputsOf<F>>::index;
  K& kernel = static_cast<K&>(layout);
  T* const to = reinterpret_cast<T*>(kernel.out.gradient) + kernel.out.at;
  int const axis = (std::max)(0, kernel.outer_rank - 1);
  Readers<F> from(kernel.frame);
  nth<index>(from).value = nth<index>(kernel.frame).of_rows(
      rows, axis, [&](std::int64_t count) { layout.advance(accesses, count); });
  auto const values = Trace<F>(from, 0, M::count).value();
  std::int64_t const step = rows > 1 ? at(kernel.out.stride, axis) : 1;
  if (step == 1) return M::store(values, to, static_cast<int>(rows));
  for (int i = 0; i < rows; ++i) to[i * step] = M::lane(values, i);
}

}  // namespace tenon::internal
