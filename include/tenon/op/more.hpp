#pragma once

#include <tenon/op/bessel.hpp>
#include <tenon/op/complements.hpp>
#include <tenon/op/divisors.hpp>
#include <tenon/op/floats.hpp>
#include <tenon/op/inverse_hyperbolic.hpp>
#include <tenon/op/logarithms.hpp>
#include <tenon/op/parts.hpp>
#include <tenon/op/roots.hpp>
#include <tenon/op/special.hpp>

/// The lists of the ops of tenon/elementwise.hpp, from which tests are generated.
namespace tenon::op {

using MoreUnary = Joined<Bases, RootsUnary, InverseHyperbolic, ComplementsUnary, PartsUnary,
                         SpecialUnary, BesselUnary>;
using MoreBinary = Joined<RootsBinary, ComplementsBinary, PartsBinary, FloatsBinary>;

}  // namespace tenon::op
