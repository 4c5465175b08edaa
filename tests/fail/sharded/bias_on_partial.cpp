// expect: value_is_partial_over
// expect: "add"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch in=128@tp"> x;
Sharded<float, "in=128@tp out=8"> w;
Sharded<float, "out=8"> b;
auto const mistaken = matmul(x, w) + b;
