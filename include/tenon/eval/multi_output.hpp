#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/eval/run.hpp>

/// Several expressions over the same axes in one loop: the results of the first are stored, then
/// those of the second, which may read them, and so on, a few lanes at a time. XLA: multi-output
/// fusion.
namespace tenon::internal {

/// An expression, and the row-major memory for its value.
template <class E>
struct OutputOf {
  E const& expression;
  typename E::value_type* to;

  MemoryAccess access() const {
    return access_out(reinterpret_cast<std::byte*>(to),
                      row_major(expression.sizes(), E::shape.rank),
                      sizeof(typename E::value_type));
  }
};

/// An output of a kernel.
template <class F, class T>
struct KernelOutput {
  Formula<F> frame;
  MemoryAccess out;
  bool past_caches;
};

/// What the loop over a row keeps of an output in registers.
template <class M, class F, class T>
struct OutputLoop {
  static constexpr bool may_pass_caches = may_store_past_caches<F, M>;

  Readers<F> from;
  T* to;
  bool past_caches;

  TENON_INLINE OutputLoop(KernelOutput<F, T> const& output, std::int64_t begin)
      : from(output.frame),
        to(reinterpret_cast<T*>(output.out.gradient) + output.out.now),
        past_caches(may_pass_caches && output.past_caches && M::is_aligned(to + begin)) {}

  TENON_INLINE void store(std::int64_t j) const {
    store_lanes<may_pass_caches, M>(Trace<F>(from, j, M::count).value(), to + j, past_caches);
  }
  TENON_INLINE void store(std::int64_t j, int n) const {
    M::store(Trace<F>(from, j, n).value(), to + j, n);
  }
};

/// Whether an output is stored past the caches: it is large, and the kernel does not read it.
bool is_written_past_caches(RowLayout const& layout, MemoryAccess const& out);

template <class M, class... Loop>
TENON_INLINE inline void store_outputs(std::int64_t begin, std::int64_t end, Loop const&... loops) {
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) (loops.store(j), ...);
  if (j == end) return;
  int const left = tail_lanes<M>(end - j);
  (loops.store(j, left), ...);
}

template <class M, class Indices, class... Output>
struct MultiOutputKernel;
template <class M, std::size_t... i, class... F, class... T>
struct MultiOutputKernel<M, std::index_sequence<i...>, KernelOutput<F, T>...>
    : RowLayout, Numbered<i, KernelOutput<F, T>>... {
  static constexpr bool is_of_reductions = false;

  MultiOutputKernel() {}  // otherwise g++ zeroes the whole kernel first

  /// Lowers the expressions, of these sizes; their last axis is the row.
  template <class... E>
  void bind(Sizes const& sizes, int rank, OutputOf<E> const&... outputs) {
    Lowering lowering{nullptr};
    (lower(nth<i>(*this), outputs, lowering), ...);
    arrange(lowering.accesses, sizes, rank, 1, true);
    past_caches = (store_past_caches(nth<i>(*this)) | ...);
  }

  TENON_INLINE void store(std::int64_t begin, std::int64_t end) {
    (prepare_values(nth<i>(*this).frame), ...);
    store_outputs<M>(begin, end, OutputLoop<M, F, T>(nth<i>(*this), begin)...);
  }

 private:
  template <class G, class U, class E>
  static void lower(KernelOutput<G, U>& output, OutputOf<E> const& of, Lowering& lowering) {
    constexpr int rank = E::shape.rank;
    lower_input<G, rank - 1, last_axes(rank, 1), 0>(output.frame, of.expression, lowering);
    output.out = of.access();
    lowering.accesses.add(output.out);
  }
  template <class G, class U>
  bool store_past_caches(KernelOutput<G, U>& output) {
    output.past_caches = false;
    if constexpr (may_store_past_caches<G, M>)
      output.past_caches = is_written_past_caches(*this, output.out);
    return output.past_caches;
  }
};

template <class M, class E>
using KernelOutputOf =
    KernelOutput<FrameOf<M, E::shape.rank - 1, last_axes(E::shape.rank, 1), E>,
                 typename E::value_type>;

/// Computes the elements [begin, end) of a row of all outputs.
template <class K>
void run_output_row(RowLayout& layout, Accesses const&, std::int64_t begin, std::int64_t end) {
  static_cast<K&>(layout).store(begin, end);
}

/// Computes all outputs. An operand may have the memory of an earlier output, whose new values it
/// then has, or of the same or a later one, whose old values it has.
template <class Backend, class First, class... E>
void run_outputs(OutputOf<First> const& first, OutputOf<E> const&... rest) {
  using M = typename Backend::machine;
  using K = MultiOutputKernel<M, std::index_sequence_for<First, E...>, KernelOutputOf<M, First>,
                              KernelOutputOf<M, E>...>;
  K kernel;
  kernel.bind(first.expression.sizes(), First::shape.rank, first, rest...);
  run_forward(loops_of<Backend>, kernel_at_work(kernel, &run_output_row<K>), chunks_of(kernel));
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME bool is_written_past_caches(RowLayout const& layout, MemoryAccess const& out) {
  std::int64_t const bytes = layout.rows() * layout.row.size() * out.element_bytes;
  if (bytes < bytes_past_caches || out.inner != 1) return false;
  return layout.accesses().all([&](MemoryAccess& access) {
    return &access == &out || access.data >= out.data + bytes ||
           access.data + access.count * access.element_bytes <= out.data;
  });
}

}  // namespace tenon::internal

#endif
