// expect: axis_is_divided_reshard_first
// expect: "take"
// expect: "layer=4@pp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "layer=4@pp d=8"> x;
auto const mistaken = take<"layer">(x, 2);
