#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/core/config.hpp>

/// Backward of all elements of an expression, row by row.
namespace tenon::internal::codegen {

/// The adjoint of an element of an expression.
using AdjointAt = Callback<Value(Places const&)>;

/// The index in the result of a reduction for an element of its operand.
TENON_RUNTIME Places result_places(Node reduction, Places const& at) {
  Places own{};
  auto const rank = static_cast<std::size_t>(reduction.operand_at(0).rank());
  for (std::size_t i = 0, to = 0; i < rank; ++i) {
    bool const reductions = has_axis(reduction->axes, static_cast<int>(i));
    if (!reductions) own[to] = at[i];
    to += reductions && !reduction->keeps ? 0u : 1u;
  }
  return own;
}

/// Whether an expression is a sum, possibly times or divided by a number. Its backward does not
/// need the value of the sum.
TENON_RUNTIME bool ends_in_sum(Node e) {
  if (e.is(NodeKind::reduction)) return e->text->reduction->is_sum;
  return e.is(NodeKind::map) && e->text->map->factor != nullptr &&
         e.operand_at(1).is(NodeKind::constant) && ends_in_sum(e.operand_at(0));
}

/// Propagates the adjoint of all elements, with the rows of the forward kernel.
TENON_RUNTIME void backward_rows(Reverse& reverse, Node e, AdjointAt const& adjoint) {
  int const rank = e.rank(), row_axes = e->wanted_row;
  Quantities const sizes = sizes_of(reverse.walk(), e);
  if (e->has_reduction) reverse.cut(cut_of(reverse.listing().functions(), e, row_axes));
  reverse.rows(sizes, rank - row_axes, [&](Places const& rows) {
    Loops loops(reverse.listing(), reverse.block());
    Places const at = open_row(reverse.walk(), sizes, rank, row_axes, rows, loops);
    reverse.within(loops, [&] { backward_element(reverse, e, at, adjoint(at)); });
  });
}

/// The same; every summed element has the adjoint of the sum, so that each of them is a row.
TENON_RUNTIME void backward_to_rows(Reverse& reverse, Node e, AdjointAt const& adjoint) {
  if (!ends_in_sum(e)) return backward_rows(reverse, e, adjoint);
  if (e.is(NodeKind::reduction))
    return backward_to_rows(reverse, e.operand_at(0),
                            [&](Places const& at) { return adjoint(result_places(e, at)); });
  Value const factor = e->text->map->factor(element_of(reverse.walk(), e.operand_at(1), Places()));
  backward_to_rows(reverse, e.operand_at(0),
                   [&](Places const& at) { return e->text->map->scaled(factor, adjoint(at)); });
}

TENON_RUNTIME void backward_all_rows(Reverse& reverse, Node e) {
  backward_to_rows(reverse, e, [&](Places const& at) { return adjoint_element(reverse, e, at); });
}

}  // namespace tenon::internal::codegen
