// expect: axis_is_divided_reshard_first
// expect: "argmax"
// expect: "n=4@tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch n=4@tp"> x;
auto const mistaken = argmax<"n">(x);
