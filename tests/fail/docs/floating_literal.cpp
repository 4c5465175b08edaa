// expect: error::floating_literal_on_integers
// expect: "mul"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n"> const& counts) { return counts * 0.5; }
