#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tenon/tree/table.hpp>

/// Type-erases a function object for the non-template traversals: one function per type of leaf.
namespace tenon::internal::tree {

/// The distinct types of leaves, const where a field is.
template <class... Leaf>
struct LeafTypes {};

template <class... Known>
constexpr LeafTypes<Known...> operator+(LeafTypes<Known...>, LeafTypes<>) {
  return {};
}
template <class... Known, class Leaf, class... More>
constexpr auto operator+(LeafTypes<Known...>, LeafTypes<Leaf, More...>) {
  constexpr bool is_known = (std::is_same_v<Known, Leaf> || ...);
  if constexpr (is_known) return LeafTypes<Known...>() + LeafTypes<More...>();
  else return LeafTypes<Known..., Leaf>() + LeafTypes<More...>();
}

template <class Walk, class T>
constexpr auto find_leaf_types();

template <class Walk, class T>
using LeafTypesOf = decltype(find_leaf_types<Walk, T>());

template <class Walk, class Parts>
struct LeafTypesAmong;
template <class Walk, template <class...> class List, class... Part>
struct LeafTypesAmong<Walk, List<Part&...>> {
  using type = decltype((LeafTypes<>() + ... + LeafTypesOf<Walk, Part>()));
};

template <class Walk, class T>
constexpr auto find_leaf_types() {
  using Plain = std::remove_const_t<T>;
  constexpr Node node = node_of<Walk, Plain>;
  if constexpr (node == Node::leaf) return LeafTypes<T>();
  else if constexpr (node == Node::passed) return LeafTypes<>();
  else if constexpr (node == Node::record) return typename LeafTypesAmong<Walk, Parts<T>>::type();
  else return LeafTypesOf<Walk, typename InnerOf<T>::type>();
}

template <class Leaves>
inline constexpr bool are_assignable = false;
template <class... Leaf>
inline constexpr bool are_assignable<LeafTypes<Leaf...>> = (std::is_move_assignable_v<Leaf> && ...);

template <class Leaves>
inline constexpr bool are_literal = false;
template <class... Leaf>
inline constexpr bool are_literal<LeafTypes<Leaf...>> =
    (std::is_trivially_destructible_v<Leaf> && ...);

/// Whether trees are traversed by tables: for a few trees of one type, unless all leaves are
/// inline; those may be in constant expressions, and a direct traversal is faster than reading a
/// table.
template <class Walk, class First, class... Rest>
inline constexpr bool goes_along_tables =
    sizeof...(Rest) + 2 <= most_trees &&  // and one for a result
    (std::is_same_v<std::remove_cvref_t<First>, std::remove_cvref_t<Rest>> && ...) &&
    !are_literal<LeafTypesOf<Walk, std::remove_cvref_t<First>>>;

/// A leaf of a tree, const if the tree is.
template <class Tree, class Leaf>
using LeafIn = std::conditional_t<std::is_const_v<Tree>, Leaf const, Leaf>;

/// The visitor for one type of leaf in several trees.
template <class F, class Leaf, class Indices, class... Tree>
struct VisitOfLeaf;
template <class F, class Leaf, std::size_t... k, class... Tree>
struct VisitOfLeaf<F, Leaf, std::index_sequence<k...>, Tree...> {
  static void call(std::byte* f, Path const& path, std::byte* const* leaves) {
    visit(*reinterpret_cast<F*>(f), path, *reinterpret_cast<LeafIn<Tree, Leaf>*>(leaves[k])...);
  }
};
template <class Walk, class F, class Leaf, class... Tree>
inline constexpr LeafVisit visit_of_leaf = {
    &tree_type<Walk, Leaf>, &VisitOfLeaf<F, Leaf, std::index_sequence_for<Tree...>, Tree...>::call};

/// Calls `f` for the leaves of one tree, or of several of one type.
template <class Walk, class F, class... Leaf, class First, class... Rest>
void visit_leaves(F& f, LeafTypes<Leaf...>, First& first, Rest&... rest) {
  static constexpr LeafVisit visits[] = {visit_of_leaf<Walk, F, Leaf, First, Rest...>...};
  std::byte* const trees[] = {byte_address(first), byte_address(rest)...};
  walk({byte_address(f), visits, 1 + sizeof...(Rest)}, tree_type<Walk, std::remove_const_t<First>>,
       Path{}, trees);
}
template <class Walk, class F, class First, class... Rest>
void visit_leaves(F&, LeafTypes<>, First&, Rest&...) {}

}  // namespace tenon::internal::tree
