#pragma once

#include <tenon/backend/source/walk.hpp>

/// One element of a recipe in names, node by node as `eval/element.hpp` defines it.
namespace tenon::source {

/// The element of a node at places along its axes.
Value element_of(Walk& walk, Node e, Places const& at);

/// Says of a value where it comes from: `relu "n k"`.
Value commented(Node e, Value const& value);

/// The element of a fold.
Value folded_element_of(Walk& walk, Node e, Places const& at);
/// The element of a product.
Value product_element_of(Walk& walk, Node e, Places const& at);

/// The steps of a node that has its own: numbers where the type knows all sizes.
Quantities steps_of(Walk& walk, Node e);

/// Where operand k of a map is, whose axes stand at those of the map.
Places places_of_operand(Node map, std::size_t k, Places const& at);

/// The values of a map's operands, and behind them its own.
using MapValues = std::array<Value, 4>;
MapValues values_of_map(Walk& walk, Node map, Places const& at);

/// Where the operand of a move is, or the table of a choice.
Places places_below(Walk& walk, Node e, Places const& at);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/element.ipp>
#endif
