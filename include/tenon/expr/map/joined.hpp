#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/core/format.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/tensor/tensor.hpp>

/// The run-time sizes of a map are those of its operands. The alignment of axes is known at compile
/// time: at run time there are only a few copies and comparisons.
namespace tenon::internal {

[[noreturn, gnu::cold]] void sizes_differ(std::string_view operation, std::string_view spec,
                                          int axis, std::int64_t expected, std::int64_t got);
[[noreturn, gnu::cold]] void sizes_differ(std::string_view operation, Shape const& shape, int axis,
                                          std::int64_t expected, std::int64_t got);

/// The destinations of the run-time sizes of an operand: four bits each.
struct JoinedSizes {
  std::uint32_t places = 0;  ///< Index among the run-time sizes of the result, or 8 + a static
                             ///< axis.
  std::uint32_t first = 0;   ///< A bit for each size that no earlier operand has: it is copied.
  bool whole = true;         ///< All run-time sizes of the result are copied, in order.

  constexpr std::size_t place(std::size_t i) const { return places >> (4 * i) & 15; }
  constexpr bool is_first(std::size_t i) const { return (first >> i & 1) != 0; }

  constexpr void add(std::uint32_t n, std::uint32_t place, bool copied) {
    places |= place << (4 * n);
    first |= std::uint32_t{copied} << n;
    whole = whole && copied && place == n;
  }
};

/// The destination of each axis of a result, as in `JoinedSizes::places`.
constexpr std::array<std::uint32_t, max_rank> joined_places(Shape const& result) {
  std::array<std::uint32_t, max_rank> places{};
  std::uint32_t n = 0;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(result.rank); ++i)
    places[i] = result[static_cast<int>(i)].is_static() ? 8 + i : n++;
  return places;
}

/// The destinations of the sizes of operand k in a result.
template <std::size_t N>
constexpr JoinedSizes joined_sizes(Shape const& result, std::array<AxisMap, N> const& maps,
                                   std::array<Shape const*, N> const& shapes, std::size_t k) {
  auto const places = joined_places(result);
  JoinedSizes joined;
  std::uint32_t known = 0, n = 0;
  for (std::size_t operand = 0; operand <= k; ++operand) {
    for (int i = 0; i < shapes[operand]->rank; ++i) {
      if ((*shapes[operand])[i].is_static()) continue;
      auto const axis = static_cast<std::size_t>(maps[operand][static_cast<std::size_t>(i)]);
      if (operand == k) joined.add(n++, places[axis], places[axis] < 8 && (known >> axis & 1) == 0);
      known |= 1u << axis;
    }
  }
  joined.whole = joined.whole && static_cast<int>(n) == dynamic_axes(result);
  return joined;
}

/// All sizes for the spec `S`, from its run-time sizes: one function per spec.
template <Spec S>
constexpr Sizes sizes_by_spec(SomeSizes<dynamic_axes(ShapeOf<S>::shape)> const& run_time) {
  return run_time.among(static_sizes_of<ShapeOf<S>>, dynamic_axes_of<ShapeOf<S>>);
}

/// The run-time sizes of an expression, in order.
template <class X>
TENON_INLINE constexpr decltype(auto) run_time_sizes(X const& x) {
  if constexpr (requires { x.run_time_.value; }) return (x.run_time_.value);
  else if constexpr (requires { x.run_time_sizes(); }) return x.run_time_sizes();
  else {
    SomeSizes<dynamic_axes(X::shape)> own{};
    own.keep(x.sizes(), dynamic_axes_of<X>);
    return own.value;
  }
}

/// What types say about the sizes of two operands on one axis: `"t" and "t=t-1": sizes differ by
/// 1`. Empty where they say the same.
using SizeRelation = TextWriter<255>;

constexpr SizeRelation size_relation(Axis const& a, Axis const& b) {
  SizeRelation text{};
  if (a.is_static() || b.is_static() || (a.is_bare() && b.is_bare())) return text;
  if (a.expression == b.expression && !a.is_unrelated()) return text;
  text << "\"" << format(a).view() << "\" and \"" << format(b).view() << "\"";
  AxisExtent const difference = symbolic_extent(a) - symbolic_extent(b);
  if (!difference.is_constant()) return text;
  return text << ": " << difference_text(difference).view();
}

/// For each axis of a map the relation of the first two operands whose types say different things.
template <std::size_t N>
constexpr std::array<SizeRelation, max_rank> size_relations(
    std::array<AxisMap, N> const& maps, std::array<Shape const*, N> const& shapes) {
  std::array<SizeRelation, max_rank> result{};
  std::array<Axis, max_rank> first{};
  std::uint32_t seen = 0;
  for (std::size_t k = 0; k < N; ++k) {
    for (int i = 0; i < shapes[k]->rank; ++i) {
      Axis const& axis = (*shapes[k])[i];
      if (axis.is_static() || maps[k][static_cast<std::size_t>(i)] < 0) continue;
      auto const to = static_cast<std::size_t>(maps[k][static_cast<std::size_t>(i)]);
      if ((seen >> to & 1) == 0) first[to] = axis;
      else if (result[to].length == 0) result[to] = size_relation(first[to], axis);
      seen |= 1u << to;
    }
  }
  return result;
}

/// The operation and spec of a map, for messages, and its static sizes.
struct JoinedShape {
  std::string_view operation;
  std::string_view spec;
  Sizes static_sizes;
  AxisMap dynamic_axes{};
  SizeRelation const* relations = nullptr;  ///< Of each axis; null where all are empty.
};

/// The relations between the sizes of operands all of whose run-time axes are bare: none.
struct NoRelations {
  static constexpr SizeRelation const* relations = nullptr;
};

/// The relations between the sizes of the operands of a map.
template <class Types, class... E>
struct RelationsOf {
  static constexpr std::array<SizeRelation, max_rank> all =
      size_relations(Types::maps, std::array<Shape const*, sizeof...(E)>{&E::shape...});
  static constexpr SizeRelation const* relations = all.data();
};

constexpr bool has_expressions(Shape const& shape) {
  for (Axis const& axis : shape) {
    if (!axis.expression.empty()) return true;
  }
  return false;
}

template <class Op, Spec S, class Relations = NoRelations>
inline constexpr JoinedShape joined_shape = [] {
  JoinedShape result{Op::name, S.view(), static_sizes(ShapeOf<S>::shape), {}, Relations::relations};
  std::size_t n = 0;
  for (auto const axis : dynamic_axes_of<ShapeOf<S>>) result.dynamic_axes[n++] = axis;
  return result;
}();

/// Throws `ShapeError`: an operand has another size on an axis than the operands before it, or than
/// the spec.
[[noreturn, gnu::cold]] void joined_sizes_differ(JoinedShape const& shape, std::size_t place,
                                                 std::int64_t expected, std::int64_t got);

/// Adds the run-time sizes of an operand to those of a result.
constexpr void join_sizes(JoinedShape const& shape, JoinedSizes joined, std::int64_t* sizes,
                          std::int64_t const* own, std::size_t number) {
  for (std::size_t i = 0; i < number; ++i) {
    std::size_t const place = joined.place(i);
    if (joined.is_first(i)) sizes[place] = own[i];
    std::int64_t const expected = place < 8 ? sizes[place] : shape.static_sizes[place - 8];
    if (expected != own[i]) [[unlikely]]
      joined_sizes_differ(shape, place, expected, own[i]);
  }
}

}  // namespace tenon::internal
