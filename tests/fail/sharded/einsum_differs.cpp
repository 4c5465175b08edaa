// expect: shardings_differ
// expect: "einsum"
// expect: "b@dp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "b@dp i"> x;
Sharded<float, "b i"> y;
auto const mistaken = einsum<"b i, b i -> b">(x, y);
