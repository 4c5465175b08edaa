#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/split.hpp>
#include <tenon/distributed/sharding/dispatch.hpp>
#include <tenon/expr/view/rearrange.hpp>

/// einops functions of sharded tensors. Patterns and sizes are global: `(h=8 d)` is eight heads, of
/// which a rank has its shard. When a sharded axis is split, its outermost factor is sharded; a
/// merged axis is sharded if its outermost factor is.
namespace tenon::internal {

/// The outermost of the axes that `map` takes to `to`, ignoring axes of size 1; -1 if there is
/// none.
constexpr int outermost(AxisMap const& map, Shape const& shape, int to) {
  int first = -1;
  for (int i = 0; i < shape.rank; ++i) {
    if (map[static_cast<std::size_t>(i)] != to) continue;
    if (!shape[i].is_one()) return i;
    if (first < 0) first = i;
  }
  return first;
}

/// The operand axis from which the outermost factor of a result axis comes.
struct DividedPath {
  int from = -1;      ///< The operand axis of which it was also the outermost factor; or -1.
  int factor = -1;    ///< Its axis in the split operand,
  int permuted = -1;  ///< and after the permutation.
};

constexpr DividedPath divided_path(Rearrangement const& rule, int to) {
  int const permuted = outermost(rule.merged_into, rule.permuted, to);
  int const factor = permuted < 0 ? -1 : rule.order[static_cast<std::size_t>(permuted)];
  int const from = factor < 0 ? -1 : rule.split_from[static_cast<std::size_t>(factor)];
  if (from < 0 || outermost(rule.split_from, rule.split, from) != factor) return {};
  return {from, factor, permuted};
}

/// For each result axis the operand axis that shares its outermost factor.
constexpr AxisMap outermost_order(Rearrangement const& rule) {
  AxisMap order = no_axes();
  for (int i = 0; i < rule.shape.rank; ++i)
    order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(divided_path(rule, i).from);
  return order;
}

/// The shape of a local shard: the sizes of sharded axes are dynamic.
constexpr Shape shape_of_part(Shape const& whole, AxisBits divided) {
  Shape part{};
  for (int i = 0; i < whole.rank; ++i)
    part[part.rank++] = has_axis(divided, i) ? named_axis(whole[i].name.view()) : whole[i];
  return part;
}

/// The rearrangement of a local shard.
constexpr Rearrangement rearrangement_of_part(Rearrangement const& whole, Sharding const& operand) {
  AxisBits factors = 0, permuted = 0;
  Sharding result{whole.shape, {}};
  for (int i = 0; i < whole.shape.rank; ++i) {
    DividedPath const path = divided_path(whole, i);
    if (path.from < 0 || operand[path.from].empty()) continue;
    factors |= 1u << path.factor;
    permuted |= 1u << path.permuted;
    result[i] = operand[path.from];
  }
  Rearrangement part = whole;
  part.split = shape_of_part(whole.split, factors);
  part.permuted = shape_of_part(whole.permuted, permuted);
  part.shape = local_shape(result);
  return part;
}

/// The rule of a pattern for local shards of an operand.
template <class Rule, Spec S>
struct PartRule {
  using name = typename Rule::name;
  static constexpr Rearrangement value =
      rearrangement_of_part(Rule::value, ShardingOf<S>::sharding);
  static constexpr RearrangeSteps steps = rearrange_steps(value);
};

template <class Name, Spec pattern, class E>
constexpr auto rearranged_type() {
  using Rule = RearrangeRule<Name, pattern, E>;
  if constexpr (!PatternFits<Rule>) return std::type_identity<PatternMistake<Name, pattern, E>>{};
  else {
    constexpr PackedMap order = packed(outermost_order(Rule::value));
    return std::type_identity<
        Regrouped<typename E::value_type, spec_of<ResultRule<Rule>>, order, E>>{};
  }
}

/// A pattern as a function of local shards of a tensor with sharding `S`; `split` are the local
/// sizes after the split. On abstract global operands it gives the axes of the result.
template <class Name, Spec pattern, Spec S>
struct Rearranging {
  using Rule = RearrangeRule<Name, pattern, ShardingOf<S>>;

  Sizes split = unit_sizes();

  template <class E>
    requires is_abstract<E>
  auto operator()(E const&) const -> typename decltype(rearranged_type<Name, pattern, E>())::type;

  template <Expression X>
    requires(!is_abstract<Unqualified<X>>)
  auto operator()(X&& x) const {
    using Part = PartRule<Rule, S>;
    return placed<Part>(split_base<Part>(hold(std::forward<X>(x)), split),
                        permuted_sizes(Part::value, split));
  }
};

/// The sizes of the shards of an axis over a list of mesh axes, in shard order.
template <class Mesh>
std::vector<std::int64_t> all_parts(Mesh const& mesh, std::string_view list, std::int64_t size) {
  std::vector<std::int64_t> parts{size};
  for_each_mesh_axis(list, [&](std::string_view name) {
    std::vector<std::int64_t> next;
    for (std::int64_t const part : parts)
      for (std::int64_t const one : mpi::parts_of(part, mesh.size(name))) next.push_back(one);
    parts = std::move(next);
  });
  return parts;
}

/// The index of this rank among them.
template <class Mesh>
std::size_t own_place(Mesh const& mesh, std::string_view list) {
  int place = 0;
  for_each_mesh_axis(
      list, [&](std::string_view name) { place = place * mesh.size(name) + mesh.rank(name); });
  return static_cast<std::size_t>(place);
}

/// Whether each shard of an axis consists of complete entries of its outermost factor.
inline bool parts_are_of(std::vector<std::int64_t> const& parts,
                         std::vector<std::int64_t> const& factor, std::int64_t inner) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] != factor[i] * inner) return false;
  return true;
}

/// The local size of the outermost factor (`from` entries), which becomes that of an axis of `to`
/// entries. Throws `ShapeError` on all ranks if a shard ends within an entry.
template <class Mesh>
std::int64_t own_factor(Mesh const& mesh, ErrorReport const& what, std::string_view list,
                        std::int64_t from, std::int64_t factor, std::int64_t to) {
  auto const parts = all_parts(mesh, list, factor);
  std::int64_t const entries = std::max<std::int64_t>(factor, 1);
  if (parts_are_of(all_parts(mesh, list, from), parts, from / entries) &&
      parts_are_of(all_parts(mesh, list, to), parts, to / entries))
    return parts[own_place(mesh, list)];
  fail<ShapeError>({what.who, what.what,
                    "a multiple of the " + std::to_string(parts.size()) +
                        " ranks that divide it, or a reshard first",
                    std::to_string(factor), "\"" + std::string(what.where) + "\""});
}

/// The pattern, computed by every rank on its local shard. Throws `ShapeError`.
template <class R, class Name, Spec pattern, Spec S, class X>
R rearrange_shard(Rearranging<Name, pattern, S> f, X&& x) {
  constexpr Rearrangement const& rule = Rearranging<Name, pattern, S>::Rule::value;
  Placement const place = x.place;
  auto const& mesh = *x.place.topology();
  Sizes const from = x.sizes();
  f.split = split_sizes(rule, from, Name::name);
  Sizes const to = merged_sizes(rule, permuted_sizes(rule, f.split));
  for (int i = 0; i < rule.shape.rank; ++i) {
    if (R::sharding[i].empty()) continue;
    DividedPath const path = divided_path(rule, i);
    FixedText const what = axis_text(rule.split, path.factor);
    std::int64_t& own = at(f.split, path.factor);
    own = own_factor(mesh, {Name::name, what.view(), {}, {}, S.view()}, R::sharding[i].view(),
                     at(from, path.from), own, at(to, i));
  }
  auto local = f(local_operand<Unqualified<X>>(std::forward<X>(x)));
  return {std::move(local), place.with_sizes(to)};
}

/// `rearrange` and `repeat` of sharded tensors: `rearrange<"b t (h=8 d) -> b h t d">(x)` of
/// "batch@dp t e@tp" is "b@dp h=8@tp t d"; repeated axes are not sharded, and are inner factors of
/// a sharded axis. Throws `ShapeError` if a sharded axis is split or merged and its outermost
/// factor is not divisible by the number of ranks.
template <class Name, Spec pattern, AnyShard X>
struct Dispatch<PatternCall<Name, pattern>, X> {
  using Function = Rearranging<Name, pattern, Unqualified<X>::spec>;
  using type = ShardedResult<Name, Function, X>;

  static type of(X x) { return rearrange_shard<type>(Function(), std::forward<X>(x)); }
};

}  // namespace tenon::internal
