// expect: value_is_partial_over
// expect: "stack"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch in=8@tp"> x;
Sharded<float, "in=8@tp out=4"> w;
auto const mistaken = stack<"layer">(matmul(x, w), matmul(x, w));
