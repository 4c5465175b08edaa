#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/node.hpp>

namespace tenon::internal::graph {

/// Sets the sizes of a map that an operand determines.
inline void join_operand(Sizes& sizes, Sizes const& operand, int rank, AxisMap const& map) {
  for (int i = 0; i < rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis >= 0) at(sizes, axis) = at(operand, i);
  }
}

[[gnu::cold]] TENON_RUNTIME Entered entered(void const* node, NodeType const& type) {
  if (type.op == nullptr) return type.enter(node);
  auto const number = static_cast<std::size_t>(type.number);
  std::array<Id, 3> x{};
  Sizes sizes = unit_sizes();
  for (std::size_t k = 0; k < number; ++k) {
    NodeType const& operand = *type.operands[k];
    Entered const own = entered(static_cast<std::byte const*>(node) + type.places[k], operand);
    x[k] = own.id;
    join_operand(sizes, own.sizes, operand.rank, type.maps[k]);
  }
  return {Graph::current->map(*type.op, std::span(x).first(number), type.maps, {type.rank, sizes}),
          sizes};
}

TENON_RUNTIME bool is_joined_by(void const* expression, ExpressionLayout const& layout) {
  return is_open() && depends_on_recording(expression, layout);
}

}  // namespace tenon::internal::graph
