#pragma once

#include <array>
#include <cstddef>

#include <tenon/core/annotation/match.hpp>

namespace tenon::internal {

/// Matches a pattern with the leaves of trees of one structure: words are bound in all leaves, `?n`
/// in the leaves of one place. `M` is the number of trees: the arguments, or these and the result.
template <std::size_t M>
struct LeafMatcher {
  Matcher<M> matcher{};

  /// Matches the next leaf of each tree; false where one does not fit.
  template <std::size_t N>
    requires(M == N || M == N + 1)
  constexpr bool next(Annotation<N> const& annotation, std::array<Shape, M> const& leaves) {
    matcher.bindings.forget_leaf();
    matcher.match(annotation, leaves);
    ++matcher.bindings.shape;
    return matcher.result.fits;
  }
};

}  // namespace tenon::internal
