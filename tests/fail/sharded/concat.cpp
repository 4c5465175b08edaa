// expect: axis_is_divided_reshard_first
// expect: "concat"
// expect: "batch@dp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp d=8"> x, y;
auto const mistaken = concat<"batch">(x, y);
