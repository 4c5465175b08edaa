// expect: value_is_partial_over
// expect: "matmul"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch in=8@tp"> x;
Sharded<float, "in=8@tp out=8"> w;
Sharded<float, "out=8 last=2"> v;
auto const mistaken = matmul(matmul(x, w), v);
