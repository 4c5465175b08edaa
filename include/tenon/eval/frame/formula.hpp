#pragma once

#include <tenon/eval/frame/nodes.hpp>
#include <tenon/eval/rows/layout.hpp>

namespace tenon::internal {

/// Indices of inputs, in the order in which their row values are computed.
template <std::size_t... i>
struct InputOrder {};
template <class Nodes, class Indices>
struct OrderedInputs;
template <class Nodes, std::size_t... i>
struct OrderedInputs<Nodes, std::index_sequence<i...>> {
  using type = InputOrder<LinkedNodes<Nodes>::order[i]...>;
};
template <class F>
using OrderOf =
    typename OrderedInputs<NodesOf<F>, std::make_index_sequence<InputsOf<F>::size>>::type;

/// Visits an input that has row values; does nothing for others.
template <class F, class Visit>
TENON_INLINE inline void visit_rows(F& frame, Visit const& f) {
  if constexpr (has_row_values<F>) frame.rows(f);
}
template <class F, class R>
TENON_INLINE inline void share_values(F& frame, R& shared) {
  if constexpr (has_row_values<F>) frame.share(shared);
}
template <class F>
TENON_INLINE inline void prepare_values(F& frame) {
  if constexpr (has_row_values<F>) frame.prepare();
}
template <class F>
TENON_INLINE inline void prepare_values_of_rows(F& frame, RowGroup const& group) {
  if constexpr (has_row_values<F>) frame.prepare_rows(group);
}
template <class F>
TENON_INLINE inline void select_value(F& frame, std::int64_t row) {
  if constexpr (has_row_values<F>) frame.value = frame.values[static_cast<std::size_t>(row)];
}
template <class F>
TENON_INLINE inline void pass_back_values(F& frame) {
  if constexpr (has_row_values<F>) frame.back();
}
template <class F>
TENON_INLINE inline void give_row_to(F& frame, ScratchRow const& row) {
  if constexpr (requires { frame.enter_row(row); }) frame.enter_row(row);
}

template <class Inputs, class Indices, class Order>
struct FormulaInputs;
template <class... F, std::size_t... i, std::size_t... order>
struct FormulaInputs<FrameNodes<F...>, std::index_sequence<i...>, InputOrder<order...>>
    : Numbered<i, F>... {
  template <class Visit>
  TENON_INLINE void each(Visit const& f) {
    (f(nth<i>(*this)), ...);
  }
  template <class Visit>
  TENON_INLINE void rows(Visit const& f) {
    (visit_rows(nth<i>(*this), f), ...);
  }
  template <class R>
  void share(R& shared) {
    (share_values(nth<order>(*this), shared), ...);
  }
  void prepare() { (prepare_values(nth<order>(*this)), ...); }
  /// The row values of all rows of a group; then those of one of them are selected.
  void prepare_rows(RowGroup const& group) {
    (prepare_values_of_rows(nth<order>(*this), group), ...);
  }
  TENON_INLINE void select_row(std::int64_t row) { (select_value(nth<i>(*this), row), ...); }
  void back() { (pass_back_values(nth<in_order[sizeof...(F) - 1 - i]>(*this)), ...); }
  bool same(FormulaInputs const& other) const { return (nth<i>(*this).same(nth<i>(other)) && ...); }
  /// Sets the row along which stored inputs are stored.
  void enter_row(ScratchRow const& row) { (give_row_to(nth<i>(*this), row), ...); }

 private:
  static constexpr std::array<std::size_t, sizeof...(F)> in_order{order...};
};

/// The formula `F` of a row: its input frames, which are those that are not maps.
template <class F>
struct Formula
    : FormulaInputs<InputsOf<F>, std::make_index_sequence<InputsOf<F>::size>, OrderOf<F>> {
  using V = typename F::V;
  using value_type = typename F::value_type;
};

}  // namespace tenon::internal
