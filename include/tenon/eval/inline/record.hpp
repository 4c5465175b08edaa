#pragma once

#include <type_traits>

#include <tenon/eval/materialize.hpp>
#include <tenon/eval/tracing/node.hpp>

/// Recording of expressions over inline tensors: they are computed as without a recording, and
/// stored on the tape only if recorded.
namespace tenon::internal {

/// The tape entry of such an expression: maps and views, a reduction of these, or a contraction.
template <class E>
struct InlineStep {
  E expression;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    using T = Computed<typename E::value_type>;
    BackendOf<typename E::device>::backward_inline(before_rounding(expression),
                                                   reinterpret_cast<T const*>(adjoint), tape);
  }
};

/// Whether any of some marks is recorded by this thread. Every one is checked: one that another
/// thread records throws.
struct AnyRecorded {
  bool& found;
  void operator()(TapeMark mark) const {
    check_recording(mark);
    found = is_recorded(mark) || found;
  }
};

/// Records how `result` was computed, if that depends on something recorded. (The address of the
/// expression does not escape.)
template <class E, TensorType R>
TENON_INLINE inline void record_inline(E const& e, R& result) {
  bool found = false;
  AnyRecorded const look{found};
  EachMark<AnyRecorded>{look}(e);
  if (!found) return;
  if (graph::is_open()) result = value_in_graph<R>(E(e));
  else result.set_mark(Tape::current()->template record_new<InlineStep<E>>(e));
}

/// The value of an expression that loops of constant length compute. A copy of it is recorded: the
/// address of the expression itself does not escape, so the compiler can remove it.
template <bool is_marked, TensorType R, class E>
TENON_INLINE inline R inline_result(E const& e) {
  R result = inline_value<R>(e);
  if constexpr (is_marked) {
    if (tracing::is_on()) [[unlikely]]
      result.set_mark(tracing::mark_of_copy<E>(e));
    else if constexpr (AdjointType<typename E::value_type>) record_inline(e, result);
  }
  return result;
}

/// Materializes the reductions in an expression over inline tensors.
template <bool is_marked>
struct EvaluateInlineReductions : EvaluateFirst {
  template <class E>
  static constexpr bool evaluates = is_reduction<E> && FillsInline<TensorOf<E>, E>;
  static constexpr bool materializes_further = true;

  template <class E>
  TENON_INLINE constexpr auto operator()(E const& e) const {
    if constexpr (FillsInline<TensorOf<E>, E>) return inline_result<is_marked, TensorOf<E>>(e);
    else return evaluate_expression(e);
  }
};

/// Whether a small expression whose reductions are materialized is computed by loops of constant
/// length.
template <class R, class E>
inline constexpr bool fills_materialized =
    FillsInline<R, decltype(materialized(std::declval<E const&>(),
                                         EvaluateInlineReductions<false>()))>;

/// The value of a small expression; the recording is checked only for one that has a mark.
template <bool is_marked, TensorType R, class E>
TENON_INLINE inline R small_value(E const& e) {
  if constexpr (FillsInline<R, E>) return inline_result<is_marked, R>(e);
  else return inline_result<is_marked, R>(materialized(e, EvaluateInlineReductions<is_marked>()));
}
/// The same for one that has a mark. A single loop is a separate function, through memory;
/// reductions with maps around them would be copied too often.
template <TensorType R, class E>
[[gnu::noinline]] R marked_loop(E const& e) {
  return small_value<true, R>(e);
}
template <TensorType R, class E>
TENON_INLINE inline R marked_value(E const& e) {
  if constexpr (FillsInline<R, E>) return marked_loop<R>(E(e));
  else return small_value<true, R>(e);
}

/// The value of a small expression. The two cases part before anything is computed: without marks
/// the code is as if written by hand, and equal reductions are merged. (Each case makes a separate
/// tensor: g++ and clang then keep the unmarked one in registers, though the marked one comes from
/// memory.)
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

}  // namespace tenon::internal
