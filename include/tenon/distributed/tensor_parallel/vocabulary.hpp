#pragma once

#include <utility>

#include <tenon/distributed/sharding/local_shard.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/view/expand.hpp>
#include <tenon/losses/cross_entropy.hpp>

/// Lookups in tables and class axes that are sharded: each rank looks up its own shard.
namespace tenon::internal {

/// `x`, or one row of zeros if its axis is empty, so that indexing is valid. (It stays recorded:
/// the backward is the same on all ranks.)
template <int axis, TensorType X>
X with_one_row(X const& x) {
  if (at(x.sizes(), axis) > 0) return x;
  auto const row = [](X const& none) {
    return mpi::zeros_as(X::uninitialised(mpi::with_size(none.sizes(), axis, 1)));
  };
  return mpi::linear(
      row, [](X const&, X const&, X const& none) { return none; }, x);
}

/// `x` with `count` trailing axes of size 1.
template <int count, class X>
auto with_axes_after(X&& x) {
  if constexpr (count == 0) return std::forward<X>(x);
  else return with_axes_after<count - 1>(unsqueeze<-1>(std::forward<X>(x)));
}

/// `look_up(part, ids)` for the ids in this rank's range of an axis; zeros for the others. `after`
/// is the number of result axes after those of the ids.
template <int axis, int after, TensorType X, TensorType Ids, class F>
auto found_here(X const& part, Ids const& ids, AxisPart own, F const& look_up) {
  using Places = Tensor<std::int64_t, Ids::spec>;  // a small dtype may not hold all positions
  Places const here = to<std::int64_t>(ids) - own.start;
  Mask<Ids::spec> const is_here = here >= 0 && here < own.size;
  Places const safe = where(is_here, here, std::int64_t{0});
  auto const found = look_up(with_one_row<axis>(part), safe);
  return eval(where(with_axes_after<after>(is_here), found, typename X::value_type(0)));
}

/// The sharding of the rows selected by ids: the axes of the table with the selected axis replaced
/// by those of the ids.
template <class Table, class Ids, class Rows, int axis>
struct TakenSharding {
  static constexpr Sharding sharding() {
    Sharding result{Rows::shape, {}};
    int const ids = Ids::sharding.shape.rank;
    for (int i = 0; i < Table::sharding.shape.rank; ++i) {
      if (i != axis) result[i < axis ? i : i + ids - 1] = Table::sharding[i];
    }
    for (int i = 0; i < ids; ++i) result[axis + i] = Ids::sharding[i];
    return result;
  }
  static constexpr auto over =
      spec_from<Table::sharding[axis].length>(Table::sharding[axis].view());
};

/// The mesh axis that divides both the table and the ids; "" if there is none. (Each rank would
/// look up different ids in its shard.)
template <ShardType Table, ShardType Ids>
struct DividesBoth {
  static constexpr FixedText text = [] {
    FixedText both;
    FixedText const ids = divided_over(Ids::sharding);
    for_each_mesh_axis(divided_over(Table::sharding).view(), [&](std::string_view name) {
      if (lists(ids.view(), name)) both = FixedText(name);
    });
    return both;
  }();
};

/// The sizes of the selected rows.
inline Sizes taken_sizes(Sizes const& table, int rank, int axis, Sizes const& ids, int count) {
  Sizes result = unit_sizes();
  for (int i = 0; i < rank; ++i) at(result, i < axis ? i : i + count - 1) = at(table, i);
  for (int i = 0; i < count; ++i) at(result, axis + i) = at(ids, i);
  return result;
}

/// Selects rows of a sharded table by ids.
template <Axes axes, class Rows, ShardType Table, ShardType Ids>
auto taken_rows(Table const& table, Ids const& ids) {
  constexpr int axis = choose(Table::sharding.shape, axes).axis();
  using Taking = TakenSharding<Table, Ids, Rows, axis>;
  constexpr auto spec = ShardingBy<Taking>::spec;
  std::int64_t const size = at(table.sizes(), axis);
  check_ids("take", ids.unchecked_local, size);
  Placement const place = common_place(table, ids)
                              .with_sizes(taken_sizes(table.sizes(), Table::sharding.shape.rank,
                                                      axis, ids.sizes(), Ids::sharding.shape.rank));
  auto const& rows = local_operand<Table, Ids>(table);
  auto const look_up = [](auto const& from, auto const& at) { return tenon::take<axis>(from, at); };
  if constexpr (Taking::over.view().empty()) {
    auto local = eval(look_up(rows, ids.unchecked_local));
    return Shard<decltype(local), spec>{std::move(local), place};
  } else {
    constexpr int after = Table::sharding.shape.rank - 1 - axis;
    AxisPart const own = part_of_axis(place, Taking::over.view(), size);
    auto y = found_here<axis, after>(eval(rows), eval(ids.unchecked_local), own, look_up);
    return PartialShard<decltype(y), spec, Taking::over, op::SumReduction>{std::move(y), place};
  }
}

template <Axes axes, class Table, class Ids>
constexpr auto taken_type() {
  if constexpr (PartialShardType<Table>)
    return std::type_identity<error::value_is_partial_over<"take", Table::over, Table::spec>>{};
  else {
    using Rows = Taken<axes, UnshardedTensor<Table>, UnshardedTensor<Ids>>;
    if constexpr (IllFormed<Rows>) return std::type_identity<Rows>{};
    else if constexpr (!DividesBoth<Table, Ids>::text.empty())
      return std::type_identity<error::mesh_axis_divides_twice<
          "take", spec_of_text<DividesBoth<Table, Ids>>, Table::spec, Ids::spec>>{};
    else
      return std::type_identity<decltype(taken_rows<axes, Rows>(std::declval<Table const&>(),
                                                                std::declval<Ids const&>()))>{};
  }
}

/// `take` of rows of a sharded table. If the indexed axis is sharded, each rank finds the rows in
/// its shard and the result is partial: `all_reduce(take<"vocab">(table, ids))`. Throws
/// `IndexError`. Megatron: `VocabParallelEmbedding`.
template <Axes axes, AnyShard Table, AnyShard Ids>
struct Dispatch<TakeCall<axes>, Table, Ids> {
  using type = typename decltype(taken_type<axes, Unqualified<Table>, Unqualified<Ids>>())::type;

  static type of(Table table, Ids ids) {
    using Rows =
        Taken<axes, UnshardedTensor<Unqualified<Table>>, UnshardedTensor<Unqualified<Ids>>>;
    return taken_rows<axes, Rows>(table, ids);
  }
};

}  // namespace tenon::internal
