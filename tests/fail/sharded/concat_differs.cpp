// expect: shardings_differ
// expect: "concat"
// expect: "batch@dp"
// expect: "batch"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp t=8"> x;
Sharded<float, "batch t=8"> y;
auto const mistaken = concat<"t">(x, y);
