#pragma once

#include <tenon/backend/codegen/emit/context.hpp>

/// Emits one element of an expression, node by node as defined in `eval/element.hpp`.
namespace tenon::internal::codegen {

/// The element of a node at indices along its axes.
Value element_of(Walk& walk, Node e, Places const& at);

/// Adds a comment with the origin of a value: `relu "n k"`.
Value commented(Node e, Value const& value);

/// The element of a reduction.
Value reduced_element_of(Walk& walk, Node e, Places const& at);
/// The element of a contraction.
Value product_element_of(Walk& walk, Node e, Places const& at);

/// The strides of a node with explicit strides: literals if all sizes are static.
Quantities steps_of(Walk& walk, Node e);

/// The indices of operand k of an elementwise op at given indices.
Places places_of_operand(Node map, std::size_t k, Places const& at);

/// The values of an elementwise op's operands, followed by its own.
using MapValues = std::array<Value, 4>;
MapValues values_of_map(Walk& walk, Node map, Places const& at);

/// The indices into the operand of a view, or the table of a gather.
Places places_below(Walk& walk, Node e, Places const& at);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/emit/element.ipp>
#endif
