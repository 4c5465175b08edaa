// expect: axis_is_divided_reshard_first
// expect: "rearrange"
// expect: "e=128@tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch e=128@tp"> x;
auto const mistaken = rearrange<"b (h=8 d) -> b d h">(rearrange<"b (h=8 d) -> b (d h)">(x));
