#pragma once

#include <type_traits>

#include <tenon/eval/record.hpp>
#include <tenon/eval/unrecorded.hpp>

/// Recipes over tensors that hold their elements, as a recording sees them: they are computed as
/// they always are, and kept only then.
namespace tenon {

/// What the tape keeps of such a recipe: maps and moves, a fold of these, or a product.
template <class E>
struct HeldStep {
  E recipe;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    using T = Computed<typename E::value_type>;
    BackendOf<typename E::device>::pull_held(before_rounding(recipe),
                                             reinterpret_cast<T const*>(adjoint), tape);
  }
};

/// Is any of some marks recorded by this thread? Every one is looked at: one that another thread
/// records throws.
struct AnyRecorded {
  bool& found;
  void operator()(TapeMark mark) const {
    Tape::check(mark);
    found = is_recorded(mark) || found;
  }
};

/// Records how `result` came to be, if that depends on something recorded. (The address of the
/// recipe does not escape.)
template <class E, TensorType R>
TENON_INLINE inline void record_held(E const& e, R& result) {
  bool found = false;
  AnyRecorded const look{found};
  EachMark<AnyRecorded>{look}(e);
  if (!found) return;
  if (graph::is_open()) result = value_in_graph<R>(E(e));
  else result.set_mark(Tape::current()->template record_new<HeldStep<E>>(e));
}

/// The value of a recipe that loops of constant length compute. What is recorded is a copy of it:
/// the address of the recipe itself does not escape, so the compiler leaves it out.
template <bool is_marked, TensorType R, class E>
TENON_INLINE inline R held_result(E const& e) {
  R result = held_value<R>(e);
  if constexpr (is_marked && FloatType<typename E::value_type>) record_held(e, result);
  return result;
}

/// How a recipe of held tensors settles: the folds in it become values.
template <bool is_marked>
struct EvaluateHeldFolds : EvaluateFirst {
  template <class E>
  static constexpr bool evaluates = is_fold<E> && FillsHeld<TensorOf<E>, E>;
  static constexpr bool settles_further = true;

  template <class E>
  TENON_INLINE constexpr auto operator()(E const& e) const {
    if constexpr (FillsHeld<TensorOf<E>, E>) return held_result<is_marked, TensorOf<E>>(e);
    else return evaluate(e);
  }
};

/// A small recipe of which the folds are values: is it computed by loops of constant length?
template <class R, class E>
inline constexpr bool fills_settled =
    FillsHeld<R, decltype(settled(std::declval<E const&>(), EvaluateHeldFolds<false>()))>;

/// The value of a small recipe; only of one that bears a mark the recording is asked.
template <bool is_marked, TensorType R, class E>
TENON_INLINE inline R small_value(E const& e) {
  if constexpr (FillsHeld<R, E>) return held_result<is_marked, R>(e);
  else return held_result<is_marked, R>(settled(e, EvaluateHeldFolds<is_marked>()));
}
/// The same of one that bears a mark. A single loop goes out of the way, in memory; folds with maps
/// around them are copied more often than that is worth.
template <TensorType R, class E>
[[gnu::noinline]] R marked_loop(E const& e) {
  return small_value<true, R>(e);
}
template <TensorType R, class E>
TENON_INLINE inline R marked_value(E const& e) {
  if constexpr (FillsHeld<R, E>) return marked_loop<R>(E(e));
  else return small_value<true, R>(e);
}

/// The value of a small recipe. The ways part before anything is computed: without marks nothing is
/// left but what would be written by hand, and equal folds are one. (Each way makes a tensor of its
/// own: g++ and clang keep the one in registers then, though the other comes from memory.)
template <TensorType R, class E>
TENON_INLINE inline R evaluate_unrolled(E const& e) {
  R result = R::uninitialised();
  if (is_marked(e)) [[unlikely]] {
    R const marked = marked_value<R>(e);
    result = marked;
  } else {
    R const plain = small_value<false, R>(e);
    result = plain;
  }
  return result;
}

}  // namespace tenon
