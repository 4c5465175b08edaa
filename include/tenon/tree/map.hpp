#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/tree/match.hpp>
#include <tenon/tree/table.hpp>

namespace tenon::internal::tree {

/// Builds a tree of the type of the first of several trees, from the results of a function of their
/// leaves.
template <class Walk, class F>
struct Builder {
  F& f;

  template <class First, class... Rest>
  constexpr First build(Path const& path, First const& first, Rest const&... rest) const {
    check_nodes<Walk, First, Rest...>();
    constexpr Node node = node_of<Walk, First>;
    if constexpr (node == Node::leaf) {
      return visit(f, path, first, rest...);
    } else if constexpr (node == Node::frozen) {
      return First(build(path, first.value, rest.value...));
    } else if constexpr (node == Node::record) {
      return build_record<First>(PartIndices<First>(), path, parts(first), parts(rest)...);
    } else if constexpr (node == Node::array) {
      constexpr std::size_t size = std::tuple_size_v<First>;
      return build_array(std::make_index_sequence<size>(), path, first, rest...);
    } else if constexpr (node == Node::vector) {
      return build_vector(path, first, rest...);
    } else if constexpr (node == Node::optional) {
      return build_optional(path, first, rest...);
    } else {
      return first;
    }
  }

 private:
  // Braces guarantee that the parts are built in order.
  template <class Record, std::size_t... i, class... Parts>
  constexpr Record build_record(std::index_sequence<i...>, Path const& path,
                                Parts const&... parts) const {
    return Record{build_part<Record, i>(path, parts...)...};
  }

  template <class Record, std::size_t i, class... Parts>
  constexpr auto build_part(Path const& path, Parts const&... parts) const {
    return build(Path{&path, part_name<Record, i>(), i}, part_at<i>(parts)...);
  }

  template <std::size_t... i, class First, class... Rest>
  constexpr First build_array(std::index_sequence<i...>, Path const& path, First const& first,
                              Rest const&... rest) const {
    return First{{element(i, path, first, rest...)...}};
  }

  template <class First, class... Rest>
  constexpr auto element(std::size_t i, Path const& path, First const& first,
                         Rest const&... rest) const {
    return build(Path{&path, {}, i}, first[i], rest[i]...);
  }

  template <class First, class... Rest>
  constexpr First build_vector(Path const& path, First const& first, Rest const&... rest) const {
    (check_size(path, first.size(), rest.size()), ...);
    First built(first.get_allocator());
    built.reserve(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      built.push_back(element(i, path, first, rest...));
    }
    return built;
  }

  template <class First, class... Rest>
  constexpr First build_optional(Path const& path, First const& first, Rest const&... rest) const {
    (check_value(path, first.has_value(), rest.has_value()), ...);
    if (!first) return {};
    return First(build(path, *first, *rest...));
  }
};

/// Whether the leaves of a copy can be assigned. Those in const fields cannot.
template <class Walk, class T>
inline constexpr bool is_assignable_tree =
    std::is_copy_constructible_v<T> && are_assignable<LeafTypesOf<Walk, T>>;

/// A copy of the first of several trees of one type, with the results of a function of their
/// leaves.
template <class Walk, class F, class First, class... Rest>
First mapped_copy(F& f, First const& first, Rest const&... rest) {
  if constexpr (Walk::template visits<First>) return visit(f, Path{}, first, rest...);
  else {
    First built = first;
    auto const set = [&f]<class Leaf>(Path const& path, Leaf& leaf, auto const&... leaves) {
      Leaf value = visit(f, path, leaves...);
      leaf = std::move(value);
    };
    visit_leaves<Walk>(set, LeafTypesOf<Walk, First>(), built, first, rest...);
    return built;
  }
}

/// A tree of the same type where f(leaf), or f(path, leaf), replaces every leaf; other fields are
/// copied. With several trees of the same structure it is f(a, b...), as in `zip`. JAX: `tree.map`.
template <class Walk = Learned, class F, class First, class... Rest>
constexpr First map(F&& f, First const& first, Rest const&... rest) {
  if constexpr (!check_well_formed<Walk, First>()) return first;
  else if constexpr (goes_along_tables<Walk, First, Rest...> && is_assignable_tree<Walk, First>)
    return mapped_copy<Walk>(f, first, rest...);
  else return Builder<Walk, std::remove_reference_t<F>>{f}.build(Path{}, first, rest...);
}

}  // namespace tenon::internal::tree

namespace tenon::tree {

using internal::tree::map;

}  // namespace tenon::tree
