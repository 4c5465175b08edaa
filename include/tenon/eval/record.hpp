#pragma once

#include <tenon/eval/backend.hpp>
#include <tenon/eval/graph/recipe.hpp>
#include <tenon/eval/recipe_text.hpp>
#include <tenon/eval/rounded.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/eval/tape/recorded.hpp>

/// Values of recipes as a recording sees them: a tape keeps how they were made, or a graph computes
/// them node by node.
namespace tenon {

/// The backward of a kernel whose recipe a tape keeps.
template <class E>
struct KernelStep {
  static void pull(void* kept, Tape& tape, std::byte const* adjoint) {
    E const& recipe = *static_cast<E const*>(kept);
    MemoryAccess at = access_out(nullptr, row_major(recipe.sizes(), E::shape.rank),
                                 sizeof(Computed<typename E::value_type>));
    at.data = adjoint;
    using Backend = BackendOf<typename E::device>;
    if constexpr (E::device::is_host) Backend::pull(before_rounding(recipe), at, tape);
    else told_with(recipe, [&] { Backend::pull(before_rounding(recipe), at, tape); });
  }
};

/// The same of a product.
template <class E>
struct ProductStep {
  static void pull(void* kept, Tape& tape, std::byte const* adjoint) {
    E const& product = *static_cast<E const*>(kept);
    auto const* const from = reinterpret_cast<typename E::value_type const*>(adjoint);
    told_with(product, [&] { BackendOf<typename E::device>::pull_contract(product, from, tape); });
  }
};

/// What a tape keeps of a recipe whose handles are not of the host alone.
template <class Step, class E>
struct RecipeStep {
  E recipe;

  void operator()(Tape& tape, std::byte const* adjoint) { Step::pull(&recipe, tape, adjoint); }
};

/// Can a value have a gradient on its device?
template <class E>
inline constexpr bool is_recordable = FloatType<typename E::value_type> && may_be_recorded<E> &&
                                      BackendOf<typename E::device>::differentiates;

/// Can none, though one may be asked for?
template <class E>
inline constexpr bool lacks_gradient =
    FloatType<typename E::value_type> && may_be_recorded<E> && !is_recordable<E>;

/// The mark of a value that a recipe made: recorded, if it depends on something recorded.
template <class Step, class E>
TENON_INLINE inline TapeMark recorded(E const& e) {
  static_assert(alignof(E) <= 64, "steps on a tape lie on cache lines");
  if constexpr (is_recordable<E> && is_kept_plain<E>) {
    return Tape::recorded(&e, recipe_layout<E>, &Step::pull);
  } else if constexpr (is_recordable<E>) {
    if (depends_on_recording(e))
      return Tape::current()->template record_new<RecipeStep<Step, E>>(e);
  } else if constexpr (lacks_gradient<E>) {
    if (depends_on_recording(e)) Tape::refuse();
  }
  return {};
}

/// The same of what is no recipe.
template <class Step, class E, TensorType R>
void record(E const& e, R& result) {
  if constexpr (is_recordable<E>) {
    if (depends_on_recording(e)) result.set_mark(Tape::current()->template record_new<Step>(e));
  } else if constexpr (lacks_gradient<E>) {
    if (depends_on_recording(e)) Tape::refuse();
  }
}

/// Is `e` to be computed node by node, because a derivative of its derivative may be asked for?
template <class E>
TENON_INLINE inline bool joins_graph(E const& e) {
  return recording != 0 && graph::is_joined_by(&e, recipe_layout<E>);
}

/// The value of a recipe in the graph that is being made.
template <TensorType R, class E>
TENON_INLINE inline R value_in_graph(E const& e) {
  return graph::value_of<R>(&e, graph_node<E>);
}

}  // namespace tenon
