#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tenon/eval/frame/frame.hpp>
#include <tenon/op/cast.hpp>

namespace tenon {

template <class Op, class... V>
concept HasDerivative = requires(V... values) { Op::d(values..., Op::f(values...)); };

/// Hands the share of an adjoint to one operand, in the dtype of the operand's adjoint.
template <class Frame, class P, class V>
[[gnu::always_inline]] inline void pull_into(Frame& frame, typename Frame::Trace const& trace,
                                             P partial, V adjoint, std::int64_t j, int n) {
  using T = Computed<typename Frame::value_type>;
  if constexpr (!std::is_same_v<P, op::Zero> && std::is_floating_point_v<T>) {
    auto const share = op::pulled(partial, adjoint);
    if constexpr (std::is_same_v<word::scalar_of<std::remove_const_t<decltype(share)>>, T>)
      frame.pull(trace, share, j, n);
    else frame.pull(trace, op::Cast<T>::f(share), j, n);
  }
}

/// A `Trace` is what a formula's values were at a few elements: those of the operands, made in
/// place (g++ copies a returned aggregate of them by memcpy, in the innermost loop), and its own.
template <class M, class Op, class... F>
struct MapFrame;

template <class M, class Op, class... F>
inline constexpr int fold_depth<MapFrame<M, Op, F...>> = std::max({0, fold_depth<F>...});

template <class M, class Op, class... F>
inline constexpr bool has_row_values<MapFrame<M, Op, F...>> = (has_row_values<F> || ...);

template <class M, class Op, class A>
struct MapFrame<M, Op, A> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename A::V>()))>;
  using value_type = word::scalar_of<V>;
  struct Trace {
    typename A::Trace a;
    V y;

    [[gnu::always_inline]] Trace(A const& of_a, std::int64_t j, int n)
        : a(of_a.trace(j, n)), y(Op::f(A::of(a))) {}
    [[gnu::always_inline]] Trace(A const& of_a, std::int64_t j, int n, V value)
        : a(of_a.trace(j, n)), y(value) {}
  };

  A a;

  [[gnu::always_inline]] static V of(Trace const& trace) { return trace.y; }
  template <class F>
  [[gnu::always_inline]] void visit(F const& f) {
    a.visit(f);
  }
  template <class F>
  [[gnu::always_inline]] void step(F const& f) {
    a.step(f);
  }
  template <class F>
  [[gnu::always_inline]] void rows(F const& f) {
    if constexpr (has_row_values<A>) a.rows(f);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (has_row_values<A>) a.share(shared);
  }
  void prepare() {
    if constexpr (has_row_values<A>) a.prepare();
  }
  void back() {
    if constexpr (has_row_values<A>) a.back();
  }
  bool same(MapFrame const& other) const { return a.same(other.a); }

  [[gnu::always_inline]] Trace trace(std::int64_t j, int n) const { return Trace(a, j, n); }
  /// Where its own values are known.
  [[gnu::always_inline]] Trace trace(std::int64_t j, int n, V value) const {
    return Trace(a, j, n, value);
  }

  [[gnu::always_inline]] void pull(Trace const& t, AdjointValue<V> adjoint, std::int64_t j, int n) {
    if constexpr (HasDerivative<Op, typename A::V>) {
      auto const p = Op::d(A::of(t.a), t.y);
      pull_into(a, t.a, p.p0, adjoint, j, n);
    }
  }
};

template <class M, class Op, class A, class B>
struct MapFrame<M, Op, A, B> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename A::V>(),
                                               std::declval<typename B::V>()))>;
  using value_type = word::scalar_of<V>;
  struct Trace {
    typename A::Trace a;
    typename B::Trace b;
    V y;

    [[gnu::always_inline]] Trace(A const& of_a, B const& of_b, std::int64_t j, int n)
        : a(of_a.trace(j, n)), b(of_b.trace(j, n)), y(Op::f(A::of(a), B::of(b))) {}
    [[gnu::always_inline]] Trace(A const& of_a, B const& of_b, std::int64_t j, int n, V value)
        : a(of_a.trace(j, n)), b(of_b.trace(j, n)), y(value) {}
  };

  A a;
  B b;
  static constexpr bool b_first = fold_depth<B> > fold_depth<A>;

  [[gnu::always_inline]] static V of(Trace const& trace) { return trace.y; }
  template <class F>
  [[gnu::always_inline]] void visit(F const& f) {
    a.visit(f);
    b.visit(f);
  }
  template <class F>
  [[gnu::always_inline]] void step(F const& f) {
    a.step(f);
    b.step(f);
  }
  template <class F>
  [[gnu::always_inline]] void rows(F const& f) {
    if constexpr (has_row_values<A>) a.rows(f);
    if constexpr (has_row_values<B>) b.rows(f);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (b_first && has_row_values<B>) b.share(shared);
    if constexpr (has_row_values<A>) a.share(shared);
    if constexpr (!b_first && has_row_values<B>) b.share(shared);
  }
  void prepare() {
    if constexpr (b_first && has_row_values<B>) b.prepare();
    if constexpr (has_row_values<A>) a.prepare();
    if constexpr (!b_first && has_row_values<B>) b.prepare();
  }
  void back() {
    if constexpr (!b_first && has_row_values<B>) b.back();
    if constexpr (has_row_values<A>) a.back();
    if constexpr (b_first && has_row_values<B>) b.back();
  }
  bool same(MapFrame const& other) const { return a.same(other.a) && b.same(other.b); }

  [[gnu::always_inline]] Trace trace(std::int64_t j, int n) const { return Trace(a, b, j, n); }
  /// Where its own values are known.
  [[gnu::always_inline]] Trace trace(std::int64_t j, int n, V value) const {
    return Trace(a, b, j, n, value);
  }

  [[gnu::always_inline]] void pull(Trace const& t, V adjoint, std::int64_t j, int n) {
    if constexpr (HasDerivative<Op, typename A::V, typename B::V>) {
      auto const p = Op::d(A::of(t.a), B::of(t.b), t.y);
      pull_into(a, t.a, p.p0, adjoint, j, n);
      pull_into(b, t.b, p.p1, adjoint, j, n);
    }
  }
};

template <class M, class Op, class A, class B, class C>
struct MapFrame<M, Op, A, B, C> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename A::V>(),
                                               std::declval<typename B::V>(),
                                               std::declval<typename C::V>()))>;
  using value_type = word::scalar_of<V>;
  struct Trace {
    typename A::Trace a;
    typename B::Trace b;
    typename C::Trace c;
    V y;

    [[gnu::always_inline]] Trace(A const& of_a, B const& of_b, C const& of_c, std::int64_t j, int n)
        : a(of_a.trace(j, n)),
          b(of_b.trace(j, n)),
          c(of_c.trace(j, n)),
          y(Op::f(A::of(a), B::of(b), C::of(c))) {}
    [[gnu::always_inline]] Trace(A const& of_a, B const& of_b, C const& of_c, std::int64_t j, int n,
                                 V value)
        : a(of_a.trace(j, n)), b(of_b.trace(j, n)), c(of_c.trace(j, n)), y(value) {}
  };

  A a;
  B b;
  C c;

  [[gnu::always_inline]] static V of(Trace const& trace) { return trace.y; }
  template <class F>
  [[gnu::always_inline]] void visit(F const& f) {
    a.visit(f);
    b.visit(f);
    c.visit(f);
  }
  template <class F>
  [[gnu::always_inline]] void step(F const& f) {
    a.step(f);
    b.step(f);
    c.step(f);
  }
  template <class F>
  [[gnu::always_inline]] void rows(F const& f) {
    if constexpr (has_row_values<A>) a.rows(f);
    if constexpr (has_row_values<B>) b.rows(f);
    if constexpr (has_row_values<C>) c.rows(f);
  }
  template <class R>
  void share(R& shared) {
    if constexpr (has_row_values<A>) a.share(shared);
    if constexpr (has_row_values<B>) b.share(shared);
    if constexpr (has_row_values<C>) c.share(shared);
  }
  void prepare() {
    if constexpr (has_row_values<A>) a.prepare();
    if constexpr (has_row_values<B>) b.prepare();
    if constexpr (has_row_values<C>) c.prepare();
  }
  void back() {
    if constexpr (has_row_values<C>) c.back();
    if constexpr (has_row_values<B>) b.back();
    if constexpr (has_row_values<A>) a.back();
  }
  bool same(MapFrame const& other) const {
    return a.same(other.a) && b.same(other.b) && c.same(other.c);
  }

  [[gnu::always_inline]] Trace trace(std::int64_t j, int n) const { return Trace(a, b, c, j, n); }
  /// Where its own values are known.
  [[gnu::always_inline]] Trace trace(std::int64_t j, int n, V value) const {
    return Trace(a, b, c, j, n, value);
  }

  [[gnu::always_inline]] void pull(Trace const& t, V adjoint, std::int64_t j, int n) {
    if constexpr (HasDerivative<Op, typename A::V, typename B::V, typename C::V>) {
      auto const p = Op::d(A::of(t.a), B::of(t.b), C::of(t.c), t.y);
      pull_into(a, t.a, p.p0, adjoint, j, n);
      pull_into(b, t.b, p.p1, adjoint, j, n);
      pull_into(c, t.c, p.p2, adjoint, j, n);
    }
  }
};

}  // namespace tenon
