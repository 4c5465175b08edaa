// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "b e -> b"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch e=128@tp"> x;
auto const mistaken = rearrange<"b e -> b">(x);
