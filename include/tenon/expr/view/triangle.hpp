#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <tenon/expr/create/create.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/view/views.hpp>

/// Triangles of matrices, which are the last two axes. Lazy.
namespace tenon::internal {

struct TrilName {
  static constexpr std::string_view name = "tril";
};
struct TriuName {
  static constexpr std::string_view name = "triu";
};

/// One of the last two axes without its name, as a row or as a column.
template <class E, bool is_column>
struct SideRule {
  static constexpr Axis const& axis = E::shape[E::shape.rank - (is_column ? 2 : 1)];
  static constexpr Axis bare = axis.is_static() ? axis_of_size(axis.size) : Axis{};
  static constexpr Shape alone = inserted(Shape{}, 0, bare);
  static constexpr Shape shape = is_column ? inserted(alone, 1, axis_of_size(1)) : alone;
};
template <class E, bool is_column>
using TriangleSide = Tensor<std::int64_t, spec_of<SideRule<E, is_column>>, typename E::device>;

/// 0, 1, 2, … for the columns of a matrix, or for its rows.
template <bool is_column, class E>
constexpr auto places_of(E const& x) {
  std::int64_t const size = at(x.sizes(), E::shape.rank - (is_column ? 2 : 1));
  return counted(TriangleSide<E, is_column>::uninitialised(first_sizes(size)));
}

/// The column in which the k-th diagonal meets each row, or one outside of the matrix. The shift
/// does not depend on the sizes: a recorded function is for any size.
template <class E>
constexpr auto diagonal_columns(E const& x, std::int64_t k) {
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)() / 2;
  return places_of<true>(x) + std::clamp(k, -most, most);
}

/// `void`, or the name of the reason why `E` has no triangle.
template <class Name, class E>
constexpr auto triangle_mistake() {
  if constexpr (E::shape.rank < 2) return rank_mistake<Name, E, 2>();
  else return std::type_identity<void>{};
}
template <class Name, Expression X>
using TriangleMistake = typename decltype(triangle_mistake<Name, Unqualified<X>>())::type;

/// The lower triangle of matrices, which are the last two axes: zero above the k-th diagonal (k >
/// 0: to the right of the main one). PyTorch: `tril`.
template <Expression X>
  requires std::is_void_v<TriangleMistake<TrilName, X>>
constexpr auto tril(X&& x, std::int64_t k = 0) {
  using T = typename Unqualified<X>::value_type;
  auto const inside = places_of<false>(x) <= diagonal_columns(x, k);
  return where(inside, std::forward<X>(x), T(0));
}
template <Expression X, class R = TriangleMistake<TrilName, X>>
  requires(!std::is_void_v<R>)
auto tril(X&& x, std::int64_t k = 0) -> R;
template <class X, class R = Refused<TrilName, X>>
auto tril(X const&, std::int64_t = 0) -> R;

/// The upper triangle of matrices, which are the last two axes: zero below the k-th diagonal.
/// PyTorch: `triu`.
template <Expression X>
  requires std::is_void_v<TriangleMistake<TriuName, X>>
constexpr auto triu(X&& x, std::int64_t k = 0) {
  using T = typename Unqualified<X>::value_type;
  auto const inside = places_of<false>(x) >= diagonal_columns(x, k);
  return where(inside, std::forward<X>(x), T(0));
}
template <Expression X, class R = TriangleMistake<TriuName, X>>
  requires(!std::is_void_v<R>)
auto triu(X&& x, std::int64_t k = 0) -> R;
template <class X, class R = Refused<TriuName, X>>
auto triu(X const&, std::int64_t = 0) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::tril;
using internal::triu;

}  // namespace tenon
