#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include <tenon/core/call.hpp>
#include <tenon/core/config.hpp>
#include <tenon/tree/node.hpp>
#include <tenon/tree/path.hpp>
#include <tenon/tree/well_formed.hpp>

namespace tenon::internal::tree {

/// Whether trees have the same kind of node here, with as many parts, or elements of an array.
template <class Walk, class First, class Other>
consteval bool same_node() {
  constexpr Node node = node_of<Walk, First>;
  if constexpr (node != node_of<Walk, Other>) {
    return false;
  } else if constexpr (node == Node::record) {
    return part_count<Parts<First>> == part_count<Parts<Other>>;
  } else if constexpr (node == Node::array) {
    return std::tuple_size_v<First> == std::tuple_size_v<Other>;
  } else {
    return true;
  }
}

template <class Walk, class First, class... Rest>
constexpr void check_nodes() {
  static_assert((same_node<Walk, First, Rest>() && ...),
                "tenon::tree: the trees differ in structure");
}

[[noreturn]] void fail_to_match(Path const& path, std::size_t first, std::size_t other);
[[noreturn]] void fail_to_match(Path const& path, bool first, bool other);

/// Vectors of trees of equal structure must have equal sizes.
constexpr void check_size(Path const& path, std::size_t first, std::size_t other) {
  if (first == other) return;
  fail_to_match(path, first, other);
}

/// The same for the presence of values in optionals.
constexpr void check_value(Path const& path, bool first, bool other) {
  if (first == other) return;
  fail_to_match(path, first, other);
}

/// f(path, leaves...) or, if `f` does not accept a path, f(leaves...).
template <class F, class... Leaf>
TENON_INLINE constexpr decltype(auto) visit(F& f, Path const& path, Leaf&... leaf) {
  if constexpr (CallableWith<F&, Path const&, Leaf&...>) {
    return f(path, leaf...);
  } else {
    static_assert(CallableWith<F&, Leaf&...>,
                  "tenon::tree: the function takes neither these leaves nor a path and the leaves");
    return f(leaf...);
  }
}

}  // namespace tenon::internal::tree

#if TENON_DEFINES_RUNTIME

#include <string_view>

#include <tenon/core/error.hpp>

namespace tenon::internal::tree {

[[noreturn, gnu::cold]] inline void fail_to_match(Path const& path, std::string_view expected,
                                                  std::string_view got) {
  std::string const where = path.text();
  fail<ShapeError>({.who = "tree", .what = where, .expected = expected, .got = got});
}

TENON_RUNTIME void fail_to_match(Path const& path, std::size_t first, std::size_t other) {
  fail_to_match(path, concatenate({decimal(static_cast<std::int64_t>(first)), " elements"}),
                decimal(static_cast<std::int64_t>(other)));
}

TENON_RUNTIME void fail_to_match(Path const& path, bool first, bool other) {
  constexpr std::string_view texts[] = {"none", "a value"};
  fail_to_match(path, texts[first], texts[other]);
}

}  // namespace tenon::internal::tree

#endif
