#pragma once

#include <array>

#include <tenon/eval/frame/backward.hpp>
#include <tenon/eval/held/fold.hpp>
#include <tenon/eval/tape/tape.hpp>

/// The backward of maps, moves and folds over tensors that hold their elements: loops of constant
/// length, as forward. What a kernel would be told at run time the compiler knows.
namespace tenon {

/// A tensor that holds its elements, as a leaf of the frames of maps; `axes` are those of the
/// tensor that the axes of the walk go along.
template <class M, class W, class E, PackedMap axes>
struct HeldLeaf {
  using value_type = typename E::value_type;
  using V = typename M::template vector<value_type>;
  using Sum = Computed<value_type>;  ///< What adjoints are added up in.
  using P = HeldPlaces<W, E, axes>;

  /// Does the walk come to every element once, and to one after the other?
  static constexpr bool is_whole = W::runs * W::run == E::static_count;
  static constexpr bool is_in_order = P::step == 1 && [] {
    for (std::size_t i = 0; i < P::begins.size(); ++i)
      if (P::begins[i] != static_cast<std::int64_t>(i) * W::run) return false;
    return true;
  }();

  value_type const* data;
  Sum* adjoint = nullptr;  ///< Null for a constant.
  bool is_new = false;     ///< Is the adjoint stored, not added? Nobody waits for zeros then.
  std::int64_t begin = 0;

  template <class F>
  [[gnu::always_inline]] void step(F const& f) {
    f(*this);
  }
  [[gnu::always_inline]] void go_to(std::int64_t run) {
    begin = P::begins[static_cast<std::size_t>(run)];
  }

  [[gnu::always_inline]] V trace(std::int64_t j, int n) const {
    value_type const* const from = data + begin + j * P::step;
    if constexpr (P::step == 0) return V(*from);
    else if constexpr (P::step != 1) return M::load_strided(from, P::step, n);
    else return n == M::count ? M::load(from) : M::load(from, n);
  }

  [[gnu::always_inline]] void pull(V const&, AdjointValue<V> share, std::int64_t j, int n) {
    if constexpr (std::is_floating_point_v<Sum>) {
      if (adjoint == nullptr) return;
      Sum* const to = adjoint + begin + j * P::step;
      if constexpr (P::step == 0) *to += M::template fold<op::Add>(share, n, Sum(0));
      else if constexpr (P::step == 1) add(to, share, n);
      else
        for (int i = 0; i < n; ++i) to[i * P::step] += M::lane(share, i);
    }
  }

 private:
  [[gnu::always_inline]] void add(Sum* to, AdjointValue<V> share, int n) const {
    if (!is_whole || !is_new) share = (n == M::count ? M::load(to) : M::load(to, n)) + share;
    if (n == M::count) M::store(share, to);
    else M::store(share, to, n);
  }
};

/// The frame of a held recipe, from `start` on.
template <class M, class W, PackedMap axes, TensorType E, class Start>
[[gnu::always_inline]] inline auto held_frame(E const& tensor, Start const& start, Tape& tape) {
  using Sum = Computed<typename E::value_type>;
  constexpr std::size_t bytes = static_cast<std::size_t>(E::static_count) * sizeof(Sum);
  HeldLeaf<M, W, E, axes> leaf{internal::stored_elements(tensor) + held_start<E>(start)};
  if constexpr (std::is_floating_point_v<Sum>) {
    std::byte* const adjoint = tape.held_gradient_of<bytes>(tensor.mark(), leaf.is_new);
    if (adjoint != nullptr) leaf.adjoint = reinterpret_cast<Sum*>(adjoint) + held_start<E>(start);
  }
  return leaf;
}
template <class M, class W, PackedMap axes, class T, class Start>
[[gnu::always_inline]] inline auto held_frame(ConstantNode<T> const& constant, Start const&,
                                              Tape&) {
  return ConstantFrame<M, T>{constant.value};
}

template <class M, class W, PackedMap axes, std::size_t k, class Node, class E, class Start>
[[gnu::always_inline]] inline auto held_operand_frame(E const& operand, Start const& start,
                                                      Tape& tape) {
  return held_frame<M, W, axes_of_operand<axes, k, Node, E>>(
      operand, start_of_operand<k, Node, E>(start), tape);
}

// In braces the frames are made in order: the first of those of one tensor is the one that is new.
template <class M, class W, PackedMap axes, class Node, class Start, std::size_t... k>
[[gnu::always_inline]] inline auto held_map_frame(Node const& e, Start const& start, Tape& tape,
                                                  std::index_sequence<k...>) {
  return MapFrame<M, typename Node::op,
                  decltype(held_operand_frame<M, W, axes, k, Node>(operand_at<k>(e), start,
                                                                   tape))...>{
      {{held_operand_frame<M, W, axes, k, Node>(operand_at<k>(e), start, tape)}...}};
}
template <class M, class W, PackedMap axes, class Op, class... E, class Start>
[[gnu::always_inline]] inline auto held_frame(Elementwise<Op, E...> const& e, Start const& start,
                                              Tape& tape) {
  return held_map_frame<M, W, axes>(e, start, tape, std::index_sequence_for<E...>());
}

template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S>
[[gnu::always_inline]] inline auto held_frame(Moved<E, order, S> const& e, AtOrigin, Tape& tape) {
  return held_frame<M, W, axes_of_move<axes, Moved<E, order, S>>>(operand_at<0>(e), e.start, tape);
}
template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S>
[[gnu::always_inline]] inline auto held_frame(Moved<E, order, S> const& e,
                                              ElementIndex const& start, Tape& tape) {
  return held_frame<M, W, axes_of_move<axes, Moved<E, order, S>>>(operand_at<0>(e), e.source(start),
                                                                  tape);
}

/// May what is new be stored? Not where a tensor is walked in another order as well: the leaves of
/// one tensor then meet its elements at different times.
template <class F>
inline constexpr bool stores_new = true;
template <class M, class W, class E, PackedMap axes>
inline constexpr bool stores_new<HeldLeaf<M, W, E, axes>> =
    !HeldLeaf<M, W, E, axes>::is_whole || HeldLeaf<M, W, E, axes>::is_in_order;
template <class M, class Op, class... F>
inline constexpr bool stores_new<MapFrame<M, Op, F...>> = (stores_new<F> && ...);

/// The frame of a held recipe, ready to pull.
template <class M, class W, class E>
[[gnu::always_inline]] inline auto frame_to_pull(E const& e, Tape& tape) {
  auto frame = held_frame<M, W, W::axes>(e, AtOrigin(), tape);
  if constexpr (!stores_new<decltype(frame)>) frame.step([](auto& leaf) { leaf.is_new = false; });
  return frame;
}

/// A frame at the beginning of one run of its walk.
template <class W, class F>
[[gnu::always_inline]] inline void go_to_run(F& frame, std::int64_t run) {
  if constexpr (W::runs > 1) frame.step([&](auto& leaf) { leaf.go_to(run); });
}

/// Calls `f(j, n)` for the lanes of one run: j is the first of n.
template <class M, std::int64_t length, class F>
[[gnu::always_inline]] inline void for_held_lanes(F const& f) {
  constexpr int left = static_cast<int>(length % M::count);
  std::int64_t j = 0;
  for (; j + M::count <= length; j += M::count) f(j, M::count);
  if constexpr (left > 0) f(j, left);
}

/// Adds the adjoint of a held recipe to those of its tensors.
template <class M, class E>
[[gnu::always_inline]] inline void pull_held(E const& e, typename E::value_type const* adjoint,
                                             Tape& tape) {
  using W = HeldWalk<E>;
  auto frame = frame_to_pull<M, W>(e, tape);
  for (std::int64_t run = 0; run < W::runs; ++run, adjoint += W::run) {
    go_to_run<W>(frame, run);
    for_held_lanes<M, W::run>([&](std::int64_t j, int n) {
      auto const share = n == M::count ? M::load(adjoint + j) : M::load(adjoint + j, n);
      backward(frame, Trace<decltype(frame)>(Readers<decltype(frame)>(frame), j, n), share, j, n);
    });
  }
}

}  // namespace tenon
