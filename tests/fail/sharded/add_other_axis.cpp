// expect: shardings_differ
// expect: "add"
// expect: "n@dp"
// expect: "n@tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp"> x;
Sharded<float, "n@tp"> y;
auto const mistaken = x + y;
