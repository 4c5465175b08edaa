#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/rules/join.hpp>
#include <tenon/expr/axes.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/kept_axes.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/tensor/host_elements.hpp>

namespace tenon::internal {

/// Whether the elements of a tensor are not computed yet, as its kernels are only recorded.
template <TensorType X>
constexpr bool is_only_recorded(X const&) {
  if constexpr (X::device::is_host) return false;
  else return DeviceLender<typename X::device>::current != nullptr;
}

/// Throws `IndexError`: an id, number `place` of its tensor, is not below `size`.
[[noreturn, gnu::cold]] void refuse_id(std::string_view operation, std::string_view word,
                                       std::int64_t place, std::int64_t id, std::int64_t size);

/// Throws `IndexError` where an id, which `word` names, is not below `size`. (In recorded kernels
/// such an id is clamped.)
template <TensorType Ids>
constexpr void check_ids(std::string_view operation, Ids const& ids, std::int64_t size,
                         std::string_view word = "id") {
  if (is_only_recorded(ids) && (size > 0 || ids.size() == 0)) return;
  auto const id = host_elements(ids);
  for (std::int64_t i = 0; i < ids.size(); ++i) {
    auto const here = static_cast<std::int64_t>(id[i]);
    if (here < 0 || here >= size) refuse_id(operation, word, i, here, size);
  }
}

/// The sizes of a gather: axis `axis` of the table is replaced by the axes of the ids.
constexpr Sizes gathered_sizes(Sizes const& table, int table_rank, Sizes const& ids, int ids_rank,
                               int axis) {
  Sizes result = unit_sizes();
  for (int i = 0; i < axis; ++i) at(result, i) = at(table, i);
  for (int i = 0; i < ids_rank; ++i) at(result, axis + i) = at(ids, i);
  for (int i = axis + 1; i < table_rank; ++i) at(result, i - 1 + ids_rank) = at(table, i);
  return result;
}

/// Rows of a table selected by an integer tensor: axis `axis` of the table is replaced by the axes
/// of the ids. Table and ids are evaluated.
template <TensorType Table, TensorType Ids, int axis_>
struct Gather
    : NodeBase<Gather<Table, Ids, axis_>, Table::shape.rank == 1 && Ids::shape.rank == 0> {
  using ExpressionNode<Gather>::operator=;
  using value_type = typename Table::value_type;
  using device = typename Table::device;
  static constexpr int axis = axis_;
  static constexpr Shape shape = spliced(Table::shape, axis_, Ids::shape);

  Table table;
  Ids ids;

  constexpr Gather(Table t, Ids i) : table(std::move(t)), ids(std::move(i)) {
    check_ids("take", ids, at(table.sizes(), axis));
  }

  /// The index in the table of the element at `index`.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex of_id{}, own{};
    for (int i = 0; i < Ids::shape.rank; ++i) at(of_id, i) = at(index, axis + i);
    for (int i = 0; i < Table::shape.rank; ++i) {
      if (i != axis) at(own, i) = at(index, i < axis ? i : i - 1 + Ids::shape.rank);
    }
    at(own, axis) = static_cast<std::int64_t>(element(ids, of_id));
    return own;
  }

  constexpr Sizes sizes() const {
    return gathered_sizes(table.sizes(), Table::shape.rank, ids.sizes(), Ids::shape.rank, axis);
  }
};

/// One element along an axis for every position of the other axes, selected by an integer tensor:
/// the label's entry in every row of logits.
template <TensorType Table, TensorType Ids, int axis_>
struct PickAlong
    : NodeBase<PickAlong<Table, Ids, axis_>, Table::shape.rank == 1 && Ids::shape.rank == 0> {
  using ExpressionNode<PickAlong>::operator=;
  using value_type = typename Table::value_type;
  using device = typename Table::device;
  static constexpr int axis = axis_;
  static constexpr Shape others = removed(Table::shape, axis_);
  static constexpr Shape shape = merged(others, Ids::shape);

  Table table;
  Ids ids;

  constexpr PickAlong(Table t, Ids i, std::string_view operation = "pick",
                      std::string_view word = "id")
      : table(std::move(t)), ids(std::move(i)) {
    check_ids(operation, ids, at(table.sizes(), axis), word);
    for (int k = 0; k < shape.rank; ++k) {
      std::int64_t const expected = at(table.sizes(), k < axis ? k : k + 1);
      if (expected != at(ids.sizes(), k))
        throw ShapeError(concatenate({"tenon::pick: expected labels of size ", decimal(expected),
                                      ", got ", decimal(at(ids.sizes(), k))}));
    }
  }

  /// The index in the table of the element at `index`.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex own{};
    for (int i = 0; i < Table::shape.rank; ++i) {
      if (i != axis) at(own, i) = at(index, i < axis ? i : i - 1);
    }
    at(own, axis) = static_cast<std::int64_t>(element(ids, index));
    return own;
  }

  constexpr Sizes sizes() const { return ids.sizes(); }
};

struct TakeName {
  static constexpr std::string_view name = "take";
  static constexpr std::string_view form = "take<\"vocab\">(table, ids)";
};
struct PickName {
  static constexpr std::string_view name = "pick";
  static constexpr std::string_view form = "pick<\"digit\">(x, ids)";
};

template <class Name, template <class, class, int> class NodeOf, Axes A, class Table, class Ids>
constexpr auto gather_type() {
  using devices = typename decltype(device_mistake<Name, Table, Ids>())::type;
  if constexpr (!std::is_void_v<devices>) return std::type_identity<devices>{};
  else if constexpr (!IntegerType<typename Ids::value_type>) return dtype_mistake<Name, Ids>();
  else if constexpr (!Chosen<A, Table>::ok || Chosen<A, Table>::value.count != 1)
    return axes_mistake<Name, A, 1, Table>();
  else if constexpr (std::same_as<Name, PickName> &&
                     !assignable(removed(Table::shape, Chosen<A, Table>::value.axis()), Ids::shape))
    return shapes_differ<Name, Table, Ids>();
  else return std::type_identity<NodeOf<Table, Ids, Chosen<A, Table>::value.axis()>>{};
}

template <Axes A, Expression X, Expression I>
using Taken = typename decltype(gather_type<TakeName, Gather, A, TensorOf<X>, TensorOf<I>>())::type;

template <Axes A, Expression X, Expression I>
using Picked =
    typename decltype(gather_type<PickName, PickAlong, A, TensorOf<X>, TensorOf<I>>())::type;

template <class X>
constexpr TensorOf<X> keep_value(X&& x) {
  return keep_product_operand<TensorOf<X>>(std::forward<X>(x));
}

/// Slices of `table` along one axis, at integer `ids` of any shape: "vocab embed" at "batch t"
/// gives "batch t embed". Throws `IndexError` where an id is out of range. PyTorch: `embedding`.
template <Axes axis, Expression X, Expression I, WellFormed Result = Taken<axis, X&&, I&&>>
constexpr auto take(X&& table, I&& ids) -> Result {
  return Result(keep_value(std::forward<X>(table)), keep_value(std::forward<I>(ids)));
}
template <Axes axis, Expression X, Expression I, IllFormed Result = Taken<axis, X&&, I&&>>
auto take(X&& table, I&& ids) -> Result;
template <Axes axis>
struct TakeCall : TakeName, Without<axis> {
  template <class... X>
  constexpr auto operator()(X&&... x) const -> decltype(take<axis>(std::forward<X>(x)...)) {
    return take<axis>(std::forward<X>(x)...);
  }
};
template <Axes axis, class... X>
  requires Dispatches<TakeCall<axis>, X&&...>
auto take(X&&... x) {
  return Dispatch<TakeCall<axis>, X&&...>::of(std::forward<X>(x)...);
}
template <Axes axis, class... X, class R = Refused<TakeCall<axis>, X...>>
auto take(X const&...) -> R;
template <class Name = TakeName, class R = AxisForm<Name>>
auto take(AnyExpression, AnyExpression, NumberOrText = -1) -> R;

/// The element along one axis at `ids`, for every position of the other axes: "batch digit" at
/// "batch" gives "batch". Throws `IndexError`. PyTorch: `gather` of one column.
template <Axes axis, Expression X, Expression I, WellFormed Result = Picked<axis, X&&, I&&>>
constexpr auto pick(X&& x, I&& ids) -> Result {
  return Result(keep_value(std::forward<X>(x)), keep_value(std::forward<I>(ids)));
}
template <Axes axis, Expression X, Expression I, IllFormed Result = Picked<axis, X&&, I&&>>
auto pick(X&& x, I&& ids) -> Result;
template <Axes, class... X, class R = Refused<PickName, X...>>
auto pick(X const&...) -> R;
template <class Name = PickName, class R = AxisForm<Name>>
auto pick(AnyExpression, AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::pick;
using internal::take;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <string>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_id(std::string_view operation,
                                                                    std::string_view word,
                                                                    std::int64_t place,
                                                                    std::int64_t id,
                                                                    std::int64_t size) {
  std::string const expected = concatenate({word, "s from 0 to ", decimal(size - 1)});
  std::string const where = concatenate({word, " ", decimal(place)});
  fail<IndexError>({operation, {}, expected, decimal(id), where});
}

}  // namespace tenon::internal

#endif
