#pragma once

#include <tenon/ir/describe.hpp>

namespace tenon::internal::graph {

struct Columns;  // complete where `eval/graph/columns.hpp` is included, as by any evaluation

}  // namespace tenon::internal::graph

namespace tenon::internal {

/// The description of a type of expression that evaluation uses: for traces and for derivatives of
/// derivatives.
template <class E>
inline constexpr ir::NodeType const& node_type = ir::node_type<E, graph::Columns>;

template <class E>
ir::Node node_of(E const& e) {
  return {node_type<E>, &e};
}

}  // namespace tenon::internal
