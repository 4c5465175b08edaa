// expect: axis_is_divided_reshard_first
// expect: "rearrange"
// expect: "d=16@tp"
// expect: "batch h=8 d=16@tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch h=8 d=16@tp"> x;
auto const mistaken = rearrange<"b h d -> b (h d)">(x);
