// expect: error::range_is_outside
// expect: "topk"
// expect: "0..11"
// expect: "digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return topk<"digit", 11>(x).values; }
