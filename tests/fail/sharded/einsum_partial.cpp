// expect: value_is_partial_over
// expect: "tanh"
// expect: "tp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "b@dp i@tp"> x;
auto const mistaken = tanh(einsum<"b i, b i -> b">(x, x));
