// expect: axis_is_not_found
// expect: "categorical"
// expect: "classes"
// expect: "batch class=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = categorical<"classes">(Key{1}, Float32<"batch class=10">());
