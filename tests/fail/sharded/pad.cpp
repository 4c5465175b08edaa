// expect: axis_is_divided_reshard_first
// expect: "pad"
// expect: "width=32@tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "height=32 width=32@tp"> x;
auto const mistaken = pad<"height width", 1, 1>(x);
