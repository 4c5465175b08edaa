#pragma once

#include <tenon/eval/rows/layout.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/reduction/reduction.hpp>
#include <tenon/expr/view/index_map.hpp>

/// The memory into which a kernel writes its value.
namespace tenon::internal {

/// The access to a tensor's elements as the result of a kernel.
template <TensorType R>
MemoryAccess access_to_result(R const& result, typename R::value_type* memory) {
  return access_out(reinterpret_cast<std::byte*>(memory), row_major(result.sizes(), R::rank),
                    sizeof(typename R::value_type));
}

/// Whether an expression shares ownership of all memory that it reads (one with a view does not),
/// and always completes once started (a gather may fail on an index out of range).
template <class E>
inline constexpr bool owns_what_it_reads = TensorType<E>;
template <class T>
inline constexpr bool owns_what_it_reads<ConstantNode<T>> = true;
template <class Op, class... E>
inline constexpr bool owns_what_it_reads<Elementwise<Op, E...>> = (owns_what_it_reads<E> && ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool owns_what_it_reads<IndexMap<E, order, S>> = owns_what_it_reads<E>;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool owns_what_it_reads<ReductionNode<Op, E, axes, keeps>> = owns_what_it_reads<E>;

/// Memory for a result of these sizes: that of `spare`, which is about to be overwritten, if it
/// fits and has no other owner: not the expression, no copy, no recording. (Memory used a moment
/// ago is in the caches; a new block often is not.)
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

}  // namespace tenon::internal
