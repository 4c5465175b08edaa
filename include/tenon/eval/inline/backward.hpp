#pragma once

#include <array>

#include <tenon/eval/frame/loop.hpp>
#include <tenon/eval/inline/reduction.hpp>
#include <tenon/eval/tape/tape.hpp>

/// The backward of maps, views and reductions over inline tensors: loops of constant length, as in
/// the forward pass.
namespace tenon::internal {

/// The number of inputs of an inline expression.
template <class E>
inline constexpr std::size_t inline_inputs = 1;
template <class Op, class... E>
inline constexpr std::size_t inline_inputs<Elementwise<Op, E...>> = (inline_inputs<E> + ...);
template <class E, PackedMap order, Spec S>
inline constexpr std::size_t inline_inputs<IndexMap<E, order, S>> = inline_inputs<E>;

/// An inline tensor as a leaf of the frames of maps; `axes` maps the axes of the walk to those of
/// the tensor.
template <class M, class W, class E, PackedMap axes>
struct InlineLeaf {
  using value_type = typename E::value_type;
  using V = typename M::template vector<value_type>;
  using Sum = Computed<value_type>;  ///< The dtype in which adjoints are accumulated.
  using P = InlinePlaces<W, E, axes>;

  /// Whether the walk visits every element once, and in order.
  static constexpr bool is_whole = W::runs * W::run == E::static_count;
  static constexpr bool is_in_order = P::step == 1 && [] {
    for (std::size_t i = 0; i < P::begins.size(); ++i)
      if (P::begins[i] != static_cast<std::int64_t>(i) * W::run) return false;
    return true;
  }();

  value_type const* data = nullptr;
  Sum* adjoint = nullptr;  ///< Null for a constant.
  bool is_new = false;     ///< Whether the adjoint is stored, not added: its memory is then
                           ///< uninitialised.
  std::int64_t begin = 0;

  TENON_INLINE void go_to(std::int64_t run) { begin = P::begins[static_cast<std::size_t>(run)]; }

  TENON_INLINE V trace(std::int64_t j, int n) const {
    value_type const* const from = data + begin + j * P::step;
    if constexpr (P::step == 0) return V(*from);
    else if constexpr (P::step != 1) return M::load_strided(from, P::step, n);
    else return n == M::count ? M::load(from) : M::load(from, n);
  }

  TENON_INLINE void backward(V const&, AdjointValue<V> share, std::int64_t j, int n) {
    if constexpr (AdjointSum<Sum>) {
      if (adjoint == nullptr) return;
      Sum* const to = adjoint + begin + j * P::step;
      if constexpr (P::step == 0) *to += M::template reduction<op::Add>(share, n, Sum(0));
      else if constexpr (P::step == 1) add(to, share, n);
      else
        for (int i = 0; i < n; ++i) to[i * P::step] += M::lane(share, i);
    }
  }

 private:
  TENON_INLINE void add(Sum* to, AdjointValue<V> share, int n) const {
    if (!is_whole || !is_new) share = (n == M::count ? M::load(to) : M::load(to, n)) + share;
    if (n == M::count) M::store(share, to);
    else M::store(share, to, n);
  }
};

/// The frame of an inline expression.
template <class M, class W, PackedMap axes, class E>
struct InlineFrameOf;
template <class M, class W, PackedMap axes, TensorType E>
struct InlineFrameOf<M, W, axes, E> {
  using type = InlineLeaf<M, W, E, axes>;
};
template <class M, class W, PackedMap axes, class T>
struct InlineFrameOf<M, W, axes, ConstantNode<T>> {
  using type = ConstantFrame<M, T>;
};
template <class M, class W, PackedMap axes, class Node, class Operands, class Indices>
struct InlineFrameOfMap;
template <class M, class W, PackedMap axes, class Node, class... E, std::size_t... k>
struct InlineFrameOfMap<M, W, axes, Node, Types<E...>, std::index_sequence<k...>> {
  using type =
      MapFrame<M, typename Node::op,
               typename InlineFrameOf<M, W, axes_of_operand<axes, k, Node, E>, E>::type...>;
};
template <class M, class W, PackedMap axes, class Op, class... E>
struct InlineFrameOf<M, W, axes, Elementwise<Op, E...>>
    : InlineFrameOfMap<M, W, axes, Elementwise<Op, E...>, Types<E...>,
                       std::index_sequence_for<E...>> {};
template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S>
struct InlineFrameOf<M, W, axes, IndexMap<E, order, S>>
    : InlineFrameOf<M, W, axes_of_index_map<axes, IndexMap<E, order, S>>, E> {};

/// The inputs of an inline expression from `start` on, which are those from index `first` on of a
/// formula.
template <class W, PackedMap axes, std::size_t first, class Inputs, TensorType E, class Start>
TENON_INLINE inline void set_inline_inputs(Inputs& inputs, E const& tensor, Start const& start,
                                           Tape& tape) {
  auto& leaf = nth<first>(inputs);
  using Sum = Computed<typename E::value_type>;
  constexpr std::size_t bytes = static_cast<std::size_t>(E::static_count) * sizeof(Sum);
  leaf.data = stored_elements(tensor) + inline_start<E>(start);
  if constexpr (AdjointSum<Sum>) {
    std::byte* const adjoint = tape.inline_gradient_of<bytes>(tensor.mark(), leaf.is_new);
    if (adjoint != nullptr) leaf.adjoint = reinterpret_cast<Sum*>(adjoint) + inline_start<E>(start);
  }
}
template <class W, PackedMap axes, std::size_t first, class Inputs, class T, class Start>
TENON_INLINE inline void set_inline_inputs(Inputs& inputs, ConstantNode<T> const& constant,
                                           Start const&, Tape&) {
  nth<first>(inputs).value = constant.value;
}

/// The inputs of operand k of a map and of the operands after it. (In order: the first of the
/// leaves of one tensor is the new one.)
template <class W, PackedMap axes, std::size_t first, std::size_t k, class Inputs, class Op,
          class... E, class Start>
TENON_INLINE inline void set_inline_operands(Inputs& inputs, Elementwise<Op, E...> const& e,
                                             Start const& start, Tape& tape) {
  if constexpr (k < sizeof...(E)) {
    using Node = Elementwise<Op, E...>;
    auto const& operand = operand_at<k>(e);
    using X = Unqualified<decltype(operand)>;
    set_inline_inputs<W, axes_of_operand<axes, k, Node, X>, first>(
        inputs, operand, start_of_operand<k, Node, X>(start), tape);
    set_inline_operands<W, axes, first + inline_inputs<X>, k + 1>(inputs, e, start, tape);
  }
}
template <class W, PackedMap axes, std::size_t first, class Inputs, class Op, class... E,
          class Start>
TENON_INLINE inline void set_inline_inputs(Inputs& inputs, Elementwise<Op, E...> const& e,
                                           Start const& start, Tape& tape) {
  set_inline_operands<W, axes, first, 0>(inputs, e, start, tape);
}

template <class W, PackedMap axes, std::size_t first, class Inputs, class E, PackedMap order,
          Spec S, class Start>
TENON_INLINE inline void set_inline_inputs(Inputs& inputs, IndexMap<E, order, S> const& e,
                                           Start const& start, Tape& tape) {
  constexpr PackedMap own = axes_of_index_map<axes, IndexMap<E, order, S>>;
  if constexpr (std::same_as<Start, AtOrigin>)
    set_inline_inputs<W, own, first>(inputs, operand_at<0>(e), e.start, tape);
  else set_inline_inputs<W, own, first>(inputs, operand_at<0>(e), e.source(start), tape);
}

/// Whether a new adjoint may be stored rather than added. Not where a tensor is also walked in
/// another order: the leaves of one tensor then reach its elements at different times.
template <class F>
inline constexpr bool stores_new = true;
template <class M, class W, class E, PackedMap axes>
inline constexpr bool stores_new<InlineLeaf<M, W, E, axes>> =
    !InlineLeaf<M, W, E, axes>::is_whole || InlineLeaf<M, W, E, axes>::is_in_order;
template <class M, class Op, class... F>
inline constexpr bool stores_new<MapFrame<M, Op, F...>> = (stores_new<F> && ...);

template <class M, class W, class E>
using InlineFrame = typename InlineFrameOf<M, W, W::axes, E>::type;

/// The formula of an inline expression, ready for the backward pass.
template <class M, class W, class E>
TENON_INLINE inline Formula<InlineFrame<M, W, E>> inline_formula(E const& e, Tape& tape) {
  using F = InlineFrame<M, W, E>;
  Formula<F> formula;
  set_inline_inputs<W, W::axes, 0>(formula, e, AtOrigin(), tape);
  if constexpr (!stores_new<F>)
    formula.each([]<class Leaf>(Leaf& leaf) {
      if constexpr (requires { leaf.is_new; }) leaf.is_new = false;
    });
  return formula;
}

/// Moves a formula to the beginning of one run of its walk.
template <class W, class F>
TENON_INLINE inline void go_to_run(Formula<F>& formula, std::int64_t run) {
  if constexpr (W::runs > 1)
    formula.each([&]<class Leaf>(Leaf& leaf) {
      if constexpr (requires { leaf.is_new; }) leaf.go_to(run);
    });
}

/// Calls `f(j, n)` for the lanes of one run: n lanes from j on.
template <class M, std::int64_t length, class F>
TENON_INLINE inline void for_inline_lanes(F const& f) {
  constexpr int left = static_cast<int>(length % M::count);
  std::int64_t j = 0;
  for (; j + M::count <= length; j += M::count) f(j, M::count);
  if constexpr (left > 0) f(j, left);
}

/// Adds the adjoint of an inline expression to those of its tensors.
template <class M, class E>
TENON_INLINE inline void backward_inline_map(E const& e, typename E::value_type const* adjoint,
                                             Tape& tape) {
  using W = InlineWalk<E>;
  using F = InlineFrame<M, W, E>;
  auto formula = inline_formula<M, W>(e, tape);
  for (std::int64_t run = 0; run < W::runs; ++run, adjoint += W::run) {
    go_to_run<W>(formula, run);
    for_inline_lanes<M, W::run>([&](std::int64_t j, int n) {
      auto const share = n == M::count ? M::load(adjoint + j) : M::load(adjoint + j, n);
      Adjoints<F>(Writers<F>(formula), Trace<F>(Readers<F>(formula), j, n), share, j, n);
    });
  }
}

}  // namespace tenon::internal
