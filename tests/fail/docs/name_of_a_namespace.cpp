// expect: reference to 'init' is ambiguous
// shown in: docs/mistakes.md
// alone: a function at namespace scope
#include <tenon/tenon.hpp>

using namespace tenon;

double init(Float32<"n"> const& v);
auto mistaken(Float32<"n"> const& x) { return init(x); }
