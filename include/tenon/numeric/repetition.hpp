#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/eval/move_to.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/numeric/positions.hpp>

/// Repetition of elements, quarter turns, blocks, grids and the positions of triangles.
namespace tenon::internal {

/// `size` positions along an axis `Rule::axis`, f(0), f(1), ...
template <class Rule, Device D, class F>
auto positions_along(std::int64_t size, F const& f) {
  auto places = Tensor<std::int64_t, spec_of<Rule>, Cpu>::uninitialised(first_sizes(size));
  auto* const to = places.own_memory();
  for (std::int64_t i = 0; i < size; ++i) to[i] = f(i);
  return moved_to<D>(places);
}

/// One axis of `E`, `count` times as long.
template <int axis, std::int64_t count, class E>
struct LongerRule {
  static constexpr Axis const& from = E::shape[axis];
  static constexpr Axis longer = resized(from, symbolic_extent(from) * number_extent(count));
  static constexpr Shape shape =
      count == 1 ? inserted(Shape{}, 0, from) : inserted(Shape{}, 0, longer);
};

/// `void`, or the name of the reason why `E` does not have the one axis.
template <class Name, Axes axis, Expression X>
using OneAxisMistake = typename decltype(axes_mistake<Name, axis, 1, Unqualified<X>>())::type;
template <class Name, Axes axis, class X>
concept HasOneAxis = Expression<X> && std::is_void_v<OneAxisMistake<Name, axis, X>>;

/// The slices at positions f(0) to f(count size - 1) of f(i, size), along an axis that is `count`
/// times as long.
template <Axes axis, std::int64_t count, class X, class F>
auto take_repeats(X&& x, F const& f) {
  static_assert(count >= 0, "tenon: a negative number of repetitions");
  using E = Unqualified<X>;
  constexpr int along = Chosen<axis, E>::value.axis();
  std::int64_t const size = at(x.sizes(), along);
  auto const from = [&](std::int64_t i) { return f(i, size); };
  auto const places =
      positions_along<LongerRule<along, count, E>, typename E::device>(size * count, from);
  return eval(take<Axes(along)>(std::forward<X>(x), places));
}

/// `x` a number of times along an axis: 1 2 twice gives 1 2 1 2, `t` gives `t=2*t`. NumPy,
/// PyTorch: `tile`.
template <Axes axis, std::int64_t count, class X>
  requires HasOneAxis<Named<"tile">, axis, X>
auto tile(X&& x) {
  tracing::refuse_while_on("tile");
  return take_repeats<axis, count>(std::forward<X>(x),
                                   [](std::int64_t i, std::int64_t size) { return i % size; });
}
template <Axes axis, std::int64_t count, Expression X,
          class R = OneAxisMistake<Named<"tile">, axis, X>>
  requires(!std::is_void_v<R>)
auto tile(X&& x) -> R;
template <Axes, std::int64_t, class X, class R = Refused<Named<"tile">, X>>
auto tile(X const&) -> R;

using InterleaveName = Named<"repeat_interleave">;

/// Every slice along an axis a number of times: 1 2 twice gives 1 1 2 2, `t` gives `t=2*t`.
/// PyTorch: `repeat_interleave`. NumPy: `repeat`.
template <Axes axis, std::int64_t count, class X>
  requires HasOneAxis<InterleaveName, axis, X>
auto repeat_interleave(X&& x) {
  tracing::refuse_while_on(InterleaveName::name);
  return take_repeats<axis, count>(std::forward<X>(x),
                                   [](std::int64_t i, std::int64_t) { return i / count; });
}
template <Axes axis, std::int64_t count, Expression X,
          class R = OneAxisMistake<InterleaveName, axis, X>>
  requires(!std::is_void_v<R>)
auto repeat_interleave(X&& x) -> R;
template <Axes, std::int64_t, class X, class R = Refused<InterleaveName, X>>
auto repeat_interleave(X const&) -> R;

/// The positions of elements that occur counts[0], counts[1], ... times.
template <class Rule, Device D, class C>
auto positions_by_counts(C const& counts) {
  std::int64_t size = 0, from = 0, left = 0;
  for (std::int64_t i = 0; i < counts.size(); ++i) {
    auto const here = static_cast<std::int64_t>(stored_elements(counts)[i]);
    if (here < 0)
      fail<ValueError>({InterleaveName::name, "counts", "integers >= 0", std::to_string(here), {}});
    size += here;
  }
  return positions_along<Rule, D>(size, [&](std::int64_t) {
    while (left == 0) left = static_cast<std::int64_t>(stored_elements(counts)[from++]);
    --left;
    return from - 1;
  });
}

/// Names the reason why `C` does not count slices along an axis; `void` where it does.
template <Axes axis, class X, class C>
constexpr auto repeats_mistake() {
  using chosen = typename decltype(axes_mistake<InterleaveName, axis, 1, X>())::type;
  if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (!IntegerType<typename C::value_type>)
    return dtype_mistake<InterleaveName, C>();
  else if constexpr (C::shape.rank != 1) return rank_mistake<InterleaveName, C, 1>();
  else return std::type_identity<void>{};
}
template <Axes axis, Expression X, Expression C>
using RepeatsMistake = typename decltype(repeats_mistake<axis, Unqualified<X>, C>())::type;

/// Every slice along an axis as often as its entry of `counts`, integers along it: `t` gives `t=_`.
/// Throws `ShapeError`, `ValueError` for a negative count.
template <Axes axis, Expression X, Expression C>
  requires std::is_void_v<RepeatsMistake<axis, X, C>>
auto repeat_interleave(X&& x, C const& counts) {
  using E = Unqualified<X>;
  constexpr int along = Chosen<axis, E>::value.axis();
  auto const here = host_value(InterleaveName::name, counts);
  if (here.size() != at(x.sizes(), along))
    sizes_differ(InterleaveName::name, E::shape, along, at(x.sizes(), along), here.size());
  auto const places = positions_by_counts<LineOfRule<E, along>, typename E::device>(here);
  return eval(take<Axes(along)>(std::forward<X>(x), places));
}
template <Axes axis, Expression X, Expression C, class R = RepeatsMistake<axis, X, C>>
  requires(!std::is_void_v<R>)
auto repeat_interleave(X&& x, C const& counts) -> R;

struct RotationName {
  static constexpr std::string_view name = "rot90";
};

/// `void`, or the name of the reason why `E` has no matrices.
template <class E>
constexpr auto rotation_mistake() {
  if constexpr (E::shape.rank < 2) return rank_mistake<RotationName, E, 2>();
  else return std::type_identity<void>{};
}
template <Expression X>
using RotationMistake = typename decltype(rotation_mistake<Unqualified<X>>())::type;

/// Matrices, the last two axes, rotated counterclockwise by 90 degrees `quarters` times, clockwise
/// if that is negative; an odd number exchanges the axes with their names. NumPy, PyTorch: `rot90`
/// of the axes -2 and -1.
template <int quarters = 1, Expression X>
  requires std::is_void_v<RotationMistake<X>>
auto rot90(X&& x) {
  constexpr int turn = ((quarters % 4) + 4) % 4;
  if constexpr (turn == 0) return eval(std::forward<X>(x));
  else if constexpr (turn == 1) return eval(flip<-2>(transpose(std::forward<X>(x))));
  else if constexpr (turn == 2) return eval(flip<-2>(flip<-1>(std::forward<X>(x))));
  else return eval(flip<-1>(transpose(std::forward<X>(x))));
}
template <int quarters = 1, Expression X, class R = RotationMistake<X>>
  requires(!std::is_void_v<R>)
auto rot90(X&& x) -> R;
template <int = 1, class X, class R = Refused<RotationName, X>>
auto rot90(X const&) -> R;

/// Blocks beside and below each other: a `std::tuple` for each row of blocks, which are joined
/// along `columns`, and the rows along `rows`, as by `concat`. Throws `ShapeError`. NumPy: `block`.
template <Axes rows, Axes columns, class... Row>
  requires(sizeof...(Row) > 0)
auto block(Row const&... row) {
  auto const joined = [](auto const&... each) { return eval(concat<columns>(each...)); };
  return eval(concat<rows>(std::apply(joined, row)...));
}

/// The axes of several lines.
template <class... E>
struct GridRule {
  static constexpr Shape shape = [] {
    Shape result{};
    ((result[result.rank++] = E::shape[0]), ...);
    return result;
  }();
};

/// The error of the first of several tensors that is no line; `void` where all are.
template <class X, class... More>
constexpr auto lines_mistake() {
  if constexpr (X::shape.rank != 1)
    return std::type_identity<error::wrong_number_of_axes<spec_of_name<Named<"meshgrid">>,
                                                          spec_of<X>, 1, X::shape.rank>>{};
  else if constexpr (sizeof...(More) > 0) return lines_mistake<More...>();
  else return std::type_identity<void>{};
}
template <Expression... X>
using LinesMistake = typename decltype(lines_mistake<X...>())::type;

/// The coordinates of a grid: of lines "x" and "y" a `std::tuple` of two tensors "x y". NumPy,
/// PyTorch: `meshgrid(indexing="ij")`.
template <Expression... X>
  requires(sizeof...(X) >= 1 && sizeof...(X) <= max_rank && std::is_void_v<LinesMistake<X...>>)
auto meshgrid(X const&... lines) {
  tracing::refuse_while_on("meshgrid");
  using Places = Tensor<std::int64_t, spec_of<GridRule<X...>>, Cpu>;
  Sizes const sizes = first_sizes(at(lines.sizes(), 0)...);
  Sizes const steps = row_major(sizes, Places::rank);
  int axis = 0;
  auto const of_line = [&](auto const& line) {
    Places places = Places::uninitialised(sizes);
    auto* const to = places.own_memory();
    for (std::int64_t i = 0; i < places.size(); ++i) to[i] = i / at(steps, axis) % at(sizes, axis);
    ++axis;
    return eval(take<0>(line, moved_to<typename Unqualified<decltype(line)>::device>(places)));
  };
  return std::tuple<decltype(of_line(lines))...>{of_line(lines)...};  // in order
}

template <Expression... X, class R = LinesMistake<X...>>
  requires(!std::is_void_v<R>)
auto meshgrid(X const&... lines) -> R;

/// The rows and columns of entries of a matrix.
struct TriangleIndices {
  Tensor<std::int64_t, "entry", Cpu> rows;
  Tensor<std::int64_t, "entry", Cpu> columns;
};

/// The entries with column - row from `low` to `high`, row by row.
inline TriangleIndices places_between(std::int64_t rows, std::int64_t columns, std::int64_t low,
                                      std::int64_t high) {
  std::vector<std::int64_t> i, j;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      if (column - row >= low && column - row <= high) i.push_back(row), j.push_back(column);
  auto const size = static_cast<std::int64_t>(i.size());
  using Line = Tensor<std::int64_t, "entry", Cpu>;
  return {from_span<Line>(i, size), from_span<Line>(j, size)};
}

/// The rows and the columns, "entry", of the entries of a matrix that are not above its k-th
/// diagonal, row by row: `auto [i, j] = tril_indices(3, 3)`. NumPy, PyTorch: `tril_indices`.
inline TriangleIndices tril_indices(std::int64_t rows, std::int64_t columns, std::int64_t k = 0) {
  return places_between(rows, columns, -rows, k);
}

/// The same of the entries that are not below it. NumPy, PyTorch: `triu_indices`.
inline TriangleIndices triu_indices(std::int64_t rows, std::int64_t columns, std::int64_t k = 0) {
  return places_between(rows, columns, k, columns);
}

}  // namespace tenon::internal

namespace tenon {

using internal::block;
using internal::meshgrid;
using internal::repeat_interleave;
using internal::rot90;
using internal::tile;
using internal::tril_indices;
using internal::triu_indices;

}  // namespace tenon
