#pragma once

#include <tenon/backend/source/reverse.hpp>

/// What a node passes back to its operands, in names: the values that its derivative asks for are
/// said anew where they are asked for.
namespace tenon::source {

/// Does a recipe lead to an adjoint that is asked for?
bool leads_back(Reverse const& reverse, Node e);

/// Passes a share of the adjoint of a recipe's element back to the leaves.
void pull_back(Reverse& reverse, Node e, Places const& at, Value const& share);

/// The shares of a fold's adjoint are added up; equal folds have one.
void pull_back_fold(Reverse& reverse, Node fold, Places const& at, Value const& share);

/// An element of the adjoint that a kernel passes back.
Value adjoint_element(Reverse& reverse, Node e, Places const& at);

/// Passes the adjoint of a product back to one factor.
void pull_factor(Reverse& reverse, Node product, bool is_left);

/// Passes the adjoint that a kernel is given back to the leaves of a recipe, row by row.
void pull_whole(Reverse& reverse, Node e);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/pull.folds.ipp>
#include <tenon/backend/source/pull.ipp>
#include <tenon/backend/source/pull.product.ipp>
#include <tenon/backend/source/pull.whole.ipp>
#endif
