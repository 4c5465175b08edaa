// expect: shardings_differ
// expect: "matmul"
// expect: "in=128@tp"
// expect: "in=128"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch in=128@tp"> x;
Sharded<float, "in=128 out=8"> w;
auto const mistaken = matmul(x, w);
