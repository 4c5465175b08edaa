// expect: error::pattern_does_not_fit
// expect: "one_hot"
// expect: "the new axis is one axis"
// expect: "digit=10 t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"batch"> const& ids) { return one_hot<"digit=10 t">(ids); }
