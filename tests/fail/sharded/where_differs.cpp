// expect: shardings_differ
// expect: "where"
// expect: "n@dp"
// expect: "n"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<bool, "n@dp"> m;
Sharded<float, "n"> x;
auto const mistaken = where(m, x, x);
