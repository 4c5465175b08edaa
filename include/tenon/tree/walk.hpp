#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include <tenon/tree/match.hpp>
#include <tenon/tree/table.hpp>

namespace tenon::internal::tree {

/// A traversal of several trees of equal structure at once: of different types, or in a constant
/// expression. (All others use tables.)
template <class Walk, class F>
struct Walker {
  F& f;

  template <class First, class... Rest>
  constexpr void walk(Path const& path, First& first, Rest&... rest) const {
    check_nodes<Walk, Unqualified<First>, Unqualified<Rest>...>();
    constexpr Node node = node_of<Walk, Unqualified<First>>;
    if constexpr (node == Node::leaf) {
      visit(f, path, first, rest...);
    } else if constexpr (node == Node::frozen) {
      walk(path, first.value, rest.value...);
    } else if constexpr (node == Node::record) {
      walk_parts<Unqualified<First>>(PartIndices<Unqualified<First>>(), path, parts(first),
                                     parts(rest)...);
    } else if constexpr (node == Node::optional) {
      (check_value(path, first.has_value(), rest.has_value()), ...);
      if (first) walk(path, *first, *rest...);
    } else if constexpr (node != Node::passed) {
      walk_elements(path, first, rest...);
    }
  }

 private:
  template <class Record, std::size_t... i, class... Parts>
  constexpr void walk_parts(std::index_sequence<i...>, Path const& path,
                            Parts const&... parts) const {
    (walk_part<Record, i>(path, parts...), ...);
  }

  template <class Record, std::size_t i, class... Parts>
  constexpr void walk_part(Path const& path, Parts const&... parts) const {
    walk(Path{&path, part_name<Record, i>(), i}, part_at<i>(parts)...);
  }

  template <class First, class... Rest>
  constexpr void walk_elements(Path const& path, First& first, Rest&... rest) const {
    (check_size(path, first.size(), rest.size()), ...);
    for (std::size_t i = 0; i < first.size(); ++i) walk(Path{&path, {}, i}, first[i], rest[i]...);
  }
};

/// Visits the leaves of several trees of the same structure together: f(a, b...), or f(path, a,
/// b...). Structures that differ do not compile; vectors of different sizes and optionals of which
/// one is empty throw `ShapeError` with the path. JAX: `tree.map` of several trees.
template <class Walk = Learned, class F, class First, class... Rest>
constexpr void zip(F&& f, First&& first, Rest&&... rest) {
  using Tree = std::remove_cvref_t<First>;
  if constexpr (!check_well_formed<Walk, Tree>()) return;
  else if constexpr (goes_along_tables<Walk, First, Rest...>)
    visit_leaves<Walk>(f, LeafTypesOf<Walk, Tree>(), first, rest...);
  else Walker<Walk, std::remove_reference_t<F>>{f}.walk(Path{}, first, rest...);
}

/// Visits the leaves of a tree in order: f(leaf), or f(path, leaf). A tree is a leaf (a tensor), a
/// plain aggregate, `std::array`, `std::tuple`, `std::pair`, `std::vector`, `std::optional`,
/// arbitrarily nested (but not recursively through a vector). Numbers, enumerations, strings and
/// `Constant<>` are skipped; any other class does not compile: `compile_error::field_is_no_tree`
/// names the field and the reason. Leaves are references into the tree, const if it is. `Walk`
/// selects what is visited: by default the parameters, with `Stored` all that a checkpoint saves.
/// PyTorch: `named_parameters`.
template <class Walk = Learned, class F, class Tree>
constexpr void for_each(F&& f, Tree&& tree) {
  zip<Walk>(f, tree);
}

}  // namespace tenon::internal::tree

namespace tenon::tree {

using internal::tree::for_each;
using internal::tree::zip;

}  // namespace tenon::tree
