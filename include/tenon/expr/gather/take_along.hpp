#pragma once

#include <tenon/expr/gather/gather.hpp>

namespace tenon::internal {

/// Elements selected along an axis, with separate ids for every position of the other axes
/// (PyTorch: `take_along_dim`). Table and ids are evaluated tensors.
template <TensorType Table, TensorType Ids, int axis_>
struct TakeAlong : ExpressionNode<TakeAlong<Table, Ids, axis_>> {
  using ExpressionNode<TakeAlong>::operator=;
  using value_type = typename Table::value_type;
  using device = typename Table::device;
  static constexpr int axis = axis_;
  static constexpr Shape shape = inserted(
      merged(removed(Table::shape, axis_), removed(Ids::shape, axis_)), axis_, Ids::shape[axis_]);

  Table table;
  Ids ids;

  constexpr TakeAlong(Table t, Ids i) : table(std::move(t)), ids(std::move(i)) {
    Sizes const from = table.sizes(), got = ids.sizes();
    for (int k = 0; k < shape.rank; ++k) {
      if (k != axis && at(from, k) != at(got, k))
        sizes_differ("take_along", shape, k, at(from, k), at(got, k));
    }
    check_ids("take_along", ids, at(from, axis));
  }

  /// The index in the table of the element at `index`.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex own = index;
    at(own, axis) = static_cast<std::int64_t>(element(ids, index));
    return own;
  }

  constexpr Sizes sizes() const { return ids.sizes(); }
};

struct TakeAlongName {
  static constexpr std::string_view name = "take_along";
  static constexpr std::string_view form = "take_along<-1>(x, ids)";
};

/// Whether the ids have the axes of the table, except for the size of one.
template <class Table, class Ids, int axis>
concept LiesAlong = Table::shape.rank == Ids::shape.rank &&
                    assignable(removed(Table::shape, axis), removed(Ids::shape, axis));

template <Axes axes, class Table, class Ids>
constexpr auto take_along_type() {
  using Name = TakeAlongName;
  using devices = typename decltype(device_mistake<Name, Table, Ids>())::type;
  using chosen = typename decltype(axes_mistake<Name, axes, 1, Table>())::type;
  if constexpr (!std::is_void_v<devices>) return std::type_identity<devices>{};
  else if constexpr (!IntegerType<typename Ids::value_type>) return dtype_mistake<Name, Ids>();
  else if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (!LiesAlong<Table, Ids, Chosen<axes, Table>::value.axis()>)
    return shapes_differ<Name, Table, Ids>();
  else return std::type_identity<TakeAlong<Table, Ids, Chosen<axes, Table>::value.axis()>>{};
}

template <Axes axes, Expression X, Expression I>
using TakenAlong = typename decltype(take_along_type<axes, TensorOf<X>, TensorOf<I>>())::type;

/// The elements along one axis at `ids`, for every position of the other axes: "batch n" at "batch
/// k=3" gives "batch k=3". Throws `IndexError`, `ShapeError`. NumPy: `take_along_axis`. PyTorch:
/// `gather`.
template <Axes axis, Expression X, Expression I, WellFormed Result = TakenAlong<axis, X, I>>
constexpr auto take_along(X&& x, I&& ids) -> Result {
  return Result(keep_value(std::forward<X>(x)), keep_value(std::forward<I>(ids)));
}
template <Axes axis, Expression X, Expression I, IllFormed Result = TakenAlong<axis, X, I>>
auto take_along(X&& x, I&& ids) -> Result;
template <Axes, class... X, class R = Refused<TakeAlongName, X...>>
auto take_along(X const&...) -> R;
template <class Name = TakeAlongName, class R = AxisForm<Name>>
auto take_along(AnyExpression, AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::take_along;

}  // namespace tenon
