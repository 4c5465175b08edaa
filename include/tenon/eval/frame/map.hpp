#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tenon/eval/frame/frame.hpp>

namespace tenon {

/// Operand k of a map.
template <std::size_t k, class F>
struct OperandFrame {
  F frame;
};
template <std::size_t k, class F>
[[gnu::always_inline]] constexpr F& operand_frame(OperandFrame<k, F>& operand) {
  return operand.frame;
}
template <std::size_t k, class F>
[[gnu::always_inline]] constexpr F const& operand_frame(OperandFrame<k, F> const& operand) {
  return operand.frame;
}

/// What is done to a frame that has values of a row; to others nothing.
template <class F, class Visit>
[[gnu::always_inline]] inline void visit_rows(F& frame, Visit const& f) {
  if constexpr (has_row_values<F>) frame.rows(f);
}
template <class F, class R>
[[gnu::always_inline]] inline void share_values(F& frame, R& shared) {
  if constexpr (has_row_values<F>) frame.share(shared);
}
template <class F>
[[gnu::always_inline]] inline void prepare_values(F& frame) {
  if constexpr (has_row_values<F>) frame.prepare();
}
template <class F>
[[gnu::always_inline]] inline void pass_back_values(F& frame) {
  if constexpr (has_row_values<F>) frame.back();
}

/// The operands of a map. `Order` is the order in which their row values are computed.
template <class Indices, class Order, class... F>
struct OperandFrames;

template <std::size_t... k, std::size_t... first, class... F>
struct OperandFrames<std::index_sequence<k...>, std::index_sequence<first...>, F...>
    : OperandFrame<k, F>... {
  template <class Visit>
  [[gnu::always_inline]] void visit(Visit const& f) {
    (operand_frame<k>(*this).visit(f), ...);
  }
  template <class Visit>
  [[gnu::always_inline]] void step(Visit const& f) {
    (operand_frame<k>(*this).step(f), ...);
  }
  template <class Visit>
  [[gnu::always_inline]] void rows(Visit const& f) {
    (visit_rows(operand_frame<k>(*this), f), ...);
  }
  template <class R>
  void share(R& shared) {
    (share_values(operand_frame<first>(*this), shared), ...);
  }
  void prepare() { (prepare_values(operand_frame<first>(*this)), ...); }
  void back() { (pass_back_values(operand_frame<sizeof...(first) - 1 - first>(*this)), ...); }
  bool same(OperandFrames const& other) const {
    return (operand_frame<k>(*this).same(operand_frame<k>(other)) && ...);
  }
};

/// Of two operands the deeper is computed first.
template <class... F>
struct OrderOfOperands {
  using type = std::index_sequence_for<F...>;
};
template <class A, class B>
  requires(fold_depth<B> > fold_depth<A>)
struct OrderOfOperands<A, B> {
  using type = std::index_sequence<1, 0>;
};

/// A map in a kernel: the frames of its operands. Its values are computed by a `Trace` of the whole
/// formula.
template <class M, class Op, class... F>
struct MapFrame
    : OperandFrames<std::index_sequence_for<F...>, typename OrderOfOperands<F...>::type, F...> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename F::V>()...))>;
  using value_type = word::scalar_of<V>;
  using machine = M;
  using op = Op;
};

template <class M, class Op, class... F>
[[gnu::always_inline]] inline auto map_frame(F const&... operands) {
  return MapFrame<M, Op, F...>{{{operands}...}};
}

template <class F>
inline constexpr bool is_map_frame = false;
template <class M, class Op, class... F>
inline constexpr bool is_map_frame<MapFrame<M, Op, F...>> = true;

template <class M, class Op, class... F>
inline constexpr int fold_depth<MapFrame<M, Op, F...>> = std::max({0, fold_depth<F>...});

template <class M, class Op, class... F>
inline constexpr bool has_row_values<MapFrame<M, Op, F...>> = (has_row_values<F> || ...);

}  // namespace tenon
