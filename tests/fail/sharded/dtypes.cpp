// expect: dtypes_differ
// expect: "add"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp"> x;
Sharded<double, "n@dp"> y;
auto const mistaken = x + y;
