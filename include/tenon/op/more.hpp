#pragma once

#include <tenon/op/complements.hpp>
#include <tenon/op/inverse_hyperbolic.hpp>
#include <tenon/op/logarithms.hpp>
#include <tenon/op/parts.hpp>
#include <tenon/op/roots.hpp>

/// The lists of the ops of tenon/elementwise.hpp, from which tests are generated.
namespace tenon::op {

using MoreUnary = Joined<Bases, RootsUnary, InverseHyperbolic, ComplementsUnary, PartsUnary>;
using MoreBinary = Joined<RootsBinary, ComplementsBinary, PartsBinary>;

}  // namespace tenon::op
