#pragma once

#include <type_traits>

#include <tenon/eval/graph/recipe.hpp>
#include <tenon/eval/rounded.hpp>
#include <tenon/eval/tape/recorded.hpp>
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

/// Does a recorded recipe show its address to nobody? It is copied then where it is kept, and left
/// out where it is not.
template <class E>
[[gnu::always_inline]] inline bool is_recorded_here(E const& e) {
  bool here = false;
  for_each_mark(e, [&](TapeMark mark) {
    Tape::check(mark);
    here = here || is_recorded(mark);
  });
  return here;
}

/// The value of a recipe in the graph that is being made.
template <TensorType R, class E>
[[gnu::noinline, gnu::cold]] R value_in_graph(E const& e) {
  return graph::tensor_of<R>(in_graph(e), e.sizes());
}

/// Records how `result` came to be, if that depends on something recorded.
template <class E, TensorType R>
[[gnu::always_inline]] inline void record_held(E const& e, R& result) {
  if (!is_recorded_here(e)) return;
  if (graph::is_open()) result = value_in_graph<R>(E(e));
  else result.set_mark(Tape::current()->template record_new<HeldStep<E>>(e));
}

/// The value of a product that bears a mark, out of the way.
template <TensorType R, class E>
[[gnu::noinline]] R marked_product(E const& e) {
  R result = unrecorded_kernel<R>(e);
  if constexpr (FloatType<typename E::value_type>) record_held(e, result);
  return result;
}

/// The value of a recipe that loops of constant length compute. What is recorded is a copy of it:
/// the recipe itself shows its address to nobody, so the compiler leaves it out. (Of a product both
/// ways use single elements. g++ 12 would load them all into registers for both, so the ways part
/// before; 4 x 4 doubles times a transposed matrix take 9 ns, not 12 to 20.)
template <TensorType R, class E>
[[gnu::always_inline]] inline R held_result(E const& e) {
  if constexpr (is_contract<E>)
    if (tapes_of(e) != 0) return marked_product<R>(E(e));
  R result = unrecorded_kernel<R>(e);
  if constexpr (!is_contract<E> && FloatType<typename E::value_type>)
    if (tapes_of(e) != 0) record_held(e, result);
  return result;
}

/// How a recipe of held tensors settles: the folds in it become values.
struct EvaluateHeldFolds : EvaluateFirst {
  template <class E>
  static constexpr bool evaluates = is_fold<E> && FillsHeld<TensorOf<E>, E>;
  static constexpr bool settles_further = true;

  template <class E>
  [[gnu::always_inline]] constexpr auto operator()(E const& e) const {
    if constexpr (FillsHeld<TensorOf<E>, E>) return held_result<TensorOf<E>>(e);
    else return evaluate(e);
  }
};

}  // namespace tenon
