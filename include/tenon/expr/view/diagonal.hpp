#pragma once

#include <algorithm>

#include <tenon/expr/create/create.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/expr/view/row.hpp>
#include <tenon/expr/view/stepped.hpp>

/// Diagonals of matrices, which are the last two axes; those before them are a batch.
namespace tenon::internal {

struct DiagonalName {
  static constexpr std::string_view name = "diagonal";
};
struct TraceName {
  static constexpr std::string_view name = "trace";
};
struct DiagName {
  static constexpr std::string_view name = "diag";
};

/// The axis of a diagonal: that of both axes if they are equal, else as long as the shorter.
constexpr Axis diagonal_axis(Axis const& row, Axis const& column) {
  return row == column ? row : axis_of(minimum(symbolic_extent(row), symbolic_extent(column)));
}

template <class E>
struct DiagonalRule {
  static constexpr int rank = E::shape.rank;
  static constexpr Shape shape = with_axis(removed(E::shape, rank - 1), rank - 2,
                                           diagonal_axis(E::shape[rank - 2], E::shape[rank - 1]));
  static constexpr bool by_one = false;
};

/// Names the reason why `E` is not a batch of matrices; `void` where it is.
template <class Name, class E>
constexpr auto no_matrix() {
  if constexpr (E::shape.rank >= 2) return std::type_identity<void>{};
  else return rank_mistake<Name, E, 2>();
}

template <class Name, class E>
constexpr auto diagonal_type() {
  using mistake = typename decltype(no_matrix<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<SteppedBy<DiagonalRule<E>, E>>{};
}
template <Expression X>
using Diagonal = typename decltype(diagonal_type<DiagonalName, StoredOperand<X>>())::type;

/// The diagonal of matrices: "batch n n" gives "batch n", "3 4" gives "3". Nothing is copied.
/// NumPy, PyTorch: `diagonal` of the last two axes.
template <Expression X, WellFormed Result = Diagonal<X&&>>
constexpr auto diagonal(X&& x) -> Result {
  constexpr int last = Result::shape.rank;
  Sizes sizes = x.sizes();
  SliceSteps steps{row_major(sizes, last + 1)};
  at(steps.along, last - 1) += at(steps.along, last);
  at(steps.along, last) = 0;
  at(sizes, last - 1) = (std::min)(at(sizes, last - 1), at(sizes, last));
  at(sizes, last) = 1;
  return Result(keep_value(std::forward<X>(x)), sizes, steps);
}
template <Expression X, IllFormed Result = Diagonal<X&&>>
auto diagonal(X&& x) -> Result;
template <class X, class R = Refused<DiagonalName, X>>
auto diagonal(X const&) -> R;

template <class E>
constexpr auto trace_mistake() {
  if constexpr (!ReductionsDtype<op::SumReduction, E>) return dtype_mistake<TraceName, E>();
  else return no_matrix<TraceName, E>();
}
template <Expression X>
using TraceMistake = typename decltype(trace_mistake<StoredOperand<X>>())::type;

/// The sum of the diagonal of matrices, with the dtype of `sum`: "batch n n" gives "batch". NumPy,
/// PyTorch: `trace`.
template <Expression X>
  requires std::is_void_v<TraceMistake<X&&>>
constexpr auto trace(X&& x) {
  return sum<-1>(diagonal(std::forward<X>(x)));
}
template <Expression X, class R = TraceMistake<X&&>>
  requires(!std::is_void_v<R>)
auto trace(X&& x) -> R;
template <class X, class R = Refused<TraceName, X>>
auto trace(X const&) -> R;

/// A vector as a row or a column.
template <class E, int place>
struct LineRule {
  static constexpr Shape shape = inserted(E::shape, 1 - place, axis_of_size(1));
  static constexpr AxisMap order = [] {
    AxisMap map = no_axes();
    map[place] = 0;
    return map;
  }();
};
template <int place, class X>
constexpr auto line(X&& x) {
  return index_map<LineRule<StoredOperand<X&&>, place>>(std::forward<X>(x));
}

template <class E>
constexpr auto diag_mistake() {
  using T = typename E::value_type;
  if constexpr (!NumType<T>) return dtype_mistake<DiagName, E>();
  else if constexpr (E::shape.rank == 1) return std::type_identity<void>{};
  else return rank_mistake<DiagName, E, 1>();
}
template <Expression X>
using DiagMistake = typename decltype(diag_mistake<StoredOperand<X>>())::type;

/// The diagonal matrix of a vector: "n" gives "n n". NumPy, PyTorch: `diag` of a vector; for that
/// of a matrix, `diagonal`.
template <Expression X>
  requires std::is_void_v<DiagMistake<X&&>>
constexpr auto diag(X&& x) {
  using E = Unqualified<X>;
  using T = typename E::value_type;
  using Places = Tensor<std::int32_t, spec_of<E>, typename E::device>;
  auto const places = counted(Places::uninitialised(x.sizes()));
  return where(line<0>(places) == line<1>(places), line<0>(std::forward<X>(x)), T{});
}
template <Expression X, class R = DiagMistake<X&&>>
  requires(!std::is_void_v<R>)
auto diag(X&& x) -> R;
template <class X, class R = Refused<DiagName, X>>
auto diag(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::diag;
using internal::diagonal;
using internal::trace;

}  // namespace tenon
