// expect: shardings_differ
// expect: "add"
// expect: "in=128@tp"
// expect: "in=128"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp in=128@tp"> x;
Sharded<float, "in=128"> b;
auto const mistaken = x + b;
