// expect: axis_is_divided_reshard_first
// expect: "slice"
// expect: "t=8@cp"
// expect: "batch@dp t=8@cp"
// shown in: docs/sharded.md
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp t=8@cp"> x;
auto const mistaken = slice<"t", 1, 5>(x);
