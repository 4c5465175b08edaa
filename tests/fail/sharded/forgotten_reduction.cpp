// expect: value_is_partial_over
// expect: relu
// expect: "tp"
// expect: "batch out=8"
// shown in: docs/sharded.md
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch in=128@tp"> x;
Sharded<float, "in=128@tp out=8"> w;
auto const mistaken = relu(matmul(x, w));
