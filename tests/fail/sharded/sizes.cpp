// expect: axes_do_not_fit
// expect: "matmul"
// expect: "in=128"
// expect: "in=64"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch in=128@tp"> x;
Sharded<float, "in=64@tp out=8"> w;
auto const mistaken = matmul(x, w);
