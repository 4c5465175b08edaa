// expect: axis_is_divided_reshard_first
// expect: "softmax"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch n=4@tp"> x;
auto const mistaken = softmax<"n">(x);
