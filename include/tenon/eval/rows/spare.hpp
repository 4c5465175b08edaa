#pragma once

#include <tenon/eval/rows/layout.hpp>
#include <tenon/expr/fold/fold.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/move/move.hpp>

/// Where the value of a kernel goes.
namespace tenon {

/// Where a tensor's elements lie, as the result of a kernel.
template <TensorType R>
MemoryAccess access_to_result(R const& result, typename R::value_type* memory) {
  return access_out(reinterpret_cast<std::byte*>(memory), row_major(result.sizes(), R::rank),
                    sizeof(typename R::value_type));
}

/// Does a recipe share in all memory that it reads? (One with a view in it does not.) And does it
/// run to its end once it has begun? (A gather may meet a position that is not there.)
template <class E>
inline constexpr bool owns_what_it_reads = TensorType<E>;
template <class T>
inline constexpr bool owns_what_it_reads<ConstantNode<T>> = true;
template <class Op, class... E>
inline constexpr bool owns_what_it_reads<Elementwise<Op, E...>> = (owns_what_it_reads<E> && ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool owns_what_it_reads<Moved<E, order, S>> = owns_what_it_reads<E>;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool owns_what_it_reads<Fold<Op, E, axes, keeps>> = owns_what_it_reads<E>;

/// Memory for a result of so many elements: that of `spare`, which is about to be overwritten,
/// where it fits and nobody else has it: not the recipe, no copy, no recording. (Memory used a
/// moment ago is in the caches; a fresh block often is not.)
template <TensorType R>
R spare_or_new(Sizes const& sizes, R const* spare) {
  if (spare != nullptr && spare->storage().buffer.is_spare() && spare->sizes() == sizes)
    return R::adopt(spare->storage().buffer, sizes);
  return R::uninitialised(sizes);
}

/// Memory for a value of these sizes.
template <TensorType R>
R memory_for(Sizes const& sizes, [[maybe_unused]] R const* spare) {
  if constexpr (R::holds_elements) return R::uninitialised(sizes);
  else return spare_or_new(sizes, spare);
}

}  // namespace tenon
