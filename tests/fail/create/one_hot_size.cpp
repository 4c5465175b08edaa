// expect: error::wrong_number_of_sizes
// expect: "one_hot"
// expect: "digit"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"batch"> const& ids) { return one_hot<"digit">(ids); }
