#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/tree/match.hpp>

/// The types of trees as tables: a record lists the fields that a traversal enters, with names and
/// offsets. One function traverses all trees by these tables.
namespace tenon::internal::tree {

struct TreeType;

/// A part of a record that contains something to visit.
struct TreePart {
  std::string_view name;  ///< Empty in a tuple.
  std::size_t index;
  std::size_t offset;  ///< In bytes.
  TreeType const* type;
};

/// The address of an object. (A const tree is only passed to functions that do not change it.)
template <class T>
std::byte* byte_address(T const& object) {
  return const_cast<std::byte*>(reinterpret_cast<std::byte const*>(__builtin_addressof(object)));
}

/// The elements of an array or a vector, or the value of an optional: one or none.
struct Elements {
  std::byte* first;
  std::size_t count;
};

/// A type of a tree, or of a part of one.
struct TreeType {
  Node node;
  std::size_t count = 0;                            ///< The number of parts.
  TreePart const* parts = nullptr;                  ///< Of a record.
  TreeType const* inner = nullptr;                  ///< The type in `Frozen`, or of an element.
  std::size_t stride = 0;                           ///< From one element to the next, in bytes.
  Elements (*elements)(std::byte* held) = nullptr;  ///< Of arrays, vectors and optionals.
};

template <class T>
Elements elements_in(std::byte* held) {
  auto& holder = *reinterpret_cast<T*>(held);
  if constexpr (is_optional<T>)
    return {holder ? byte_address(*holder) : nullptr, holder ? std::size_t{1} : 0};
  else
    return {const_cast<std::byte*>(reinterpret_cast<std::byte const*>(holder.data())),
            holder.size()};
}

template <class Walk, class T>
constexpr TreeType type_of_tree();

template <class Walk, class T>
inline constexpr TreeType tree_type = type_of_tree<Walk, T>();

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

/// The offset of a part of a record, in bytes.
template <class T, std::size_t index>
inline constexpr std::size_t part_offset =
    find_offset<T>(&part_at<index>(parts(undefined<T>.value)));

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/// The parts of a record that a traversal enters.
template <class Walk, class T, class Indices = PartIndices<T>>
struct PartTable;
template <class Walk, class T, std::size_t... i>
struct PartTable<Walk, T, std::index_sequence<i...>> {
  using Record = std::remove_const_t<T>;
  template <std::size_t k>
  using Part = PartAt<k, Parts<T>>;
  template <std::size_t k>
  static constexpr bool is_entered = reaches<Walk, std::remove_const_t<Part<k>>>();

  static constexpr std::size_t count = (std::size_t{is_entered<i>} + ...);
  static constexpr auto list = [] {
    std::array<TreePart, count> entered{};
    std::size_t next = 0;
    auto const add = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
      if constexpr (is_entered<k>)
        entered[next++] = {part_name<Record, k>(), k, part_offset<Record, k>,
                           &tree_type<Walk, Part<k>>};
    };
    (add(std::integral_constant<std::size_t, i>()), ...);
    return entered;
  }();
};

/// The type in `Frozen`, or of an element: const if its container is.
template <class T>
struct InnerOf {
  using type = typename T::value_type;
};
template <class T>
struct InnerOf<Frozen<T>> {
  using type = T;
};
template <class T>
struct InnerOf<T const> {
  using type = typename InnerOf<T>::type const;
};

template <class Walk, class T>
constexpr TreeType type_of_tree() {
  using Plain = std::remove_const_t<T>;
  constexpr Node node = node_of<Walk, Plain>;
  if constexpr (node == Node::leaf || node == Node::passed) {
    return {.node = node};
  } else if constexpr (node == Node::record) {
    using Table = PartTable<Walk, T>;
    return {.node = node, .count = Table::count, .parts = Table::list.data()};
  } else {
    using Inner = typename InnerOf<T>::type;
    TreeType type{.node = node, .inner = &tree_type<Walk, Inner>, .stride = sizeof(Inner)};
    if constexpr (node != Node::frozen) type.elements = &elements_in<Plain>;
    return type;
  }
}

/// The type-erased call for one type of leaf: with the visitor, the path, and the addresses of the
/// leaves in several trees.
struct LeafVisit {
  TreeType const* leaf;
  void (*call)(std::byte* f, Path const& path, std::byte* const* leaves);
};

/// The calls for all types of leaves in a tree.
struct LeafVisits {
  std::byte* f;
  LeafVisit const* list;
  std::size_t trees;  ///< The number of trees that are traversed together: at most `most_trees`.
};
inline constexpr std::size_t most_trees = 8;

/// Traverses several trees of one type. Throws `ShapeError` where vectors differ in size, or one
/// optional is empty and another is not.
void walk(LeafVisits const& visits, TreeType const& type, Path const& path,
          std::byte* const* trees);

}  // namespace tenon::internal::tree

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

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::tree {

/// One traversal: the visitor, and the action for every kind of node.
class TableWalk {
 public:
  explicit TableWalk(LeafVisits const& visits) : visits_(visits) {}

  void walk(TreeType const& type, Path const& path, std::byte* const* trees) const {
    if (type.node == Node::leaf) visit(type, path, trees);
    else if (type.node == Node::frozen) walk(*type.inner, path, trees);
    else if (type.node == Node::record) walk_parts(type, path, trees);
    else if (type.node != Node::passed) walk_elements(type, path, trees);
  }

 private:
  void visit(TreeType const& leaf, Path const& path, std::byte* const* leaves) const {
    LeafVisit const* found = visits_.list;
    while (found->leaf != &leaf) ++found;
    found->call(visits_.f, path, leaves);
  }

  void walk_parts(TreeType const& record, Path const& path, std::byte* const* trees) const {
    std::byte* inner[most_trees];
    for (std::size_t i = 0; i < record.count; ++i) {
      TreePart const& part = record.parts[i];
      for (std::size_t k = 0; k < visits_.trees; ++k) inner[k] = trees[k] + part.offset;
      Path const here{&path, part.name, part.index};
      if (part.type->node == Node::leaf) visit(*part.type, here, inner);
      else walk(*part.type, here, inner);
    }
  }

  void walk_elements(TreeType const& holder, Path const& path, std::byte* const* trees) const {
    std::byte* at[most_trees];
    std::size_t const count = elements(holder, path, trees, at);
    bool const is_value = holder.node == Node::optional;
    for (std::size_t i = 0; i < count; ++i) {
      walk(*holder.inner, is_value ? path : Path{&path, {}, i}, at);
      for (std::size_t k = 0; k < visits_.trees; ++k) at[k] += holder.stride;
    }
  }

  /// The addresses of the first elements, and their number.
  std::size_t elements(TreeType const& holder, Path const& path, std::byte* const* trees,
                       std::byte** first) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < visits_.trees; ++k) {
      Elements const held = holder.elements(trees[k]);
      if (k == 0) count = held.count;
      else if (holder.node == Node::optional) check_value(path, count > 0, held.count > 0);
      else check_size(path, count, held.count);
      first[k] = held.first;
    }
    return count;
  }

  LeafVisits visits_;
};

TENON_RUNTIME void walk(LeafVisits const& visits, TreeType const& type, Path const& path,
                        std::byte* const* trees) {
  TableWalk(visits).walk(type, path, trees);
}

}  // namespace tenon::internal::tree

#endif
