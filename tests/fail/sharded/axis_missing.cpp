// expect: axis_is_not_found
// expect: "sum"
// expect: "row"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
auto const mistaken = sum<"row">(x);
