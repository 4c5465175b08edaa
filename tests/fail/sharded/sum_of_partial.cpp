// expect: value_is_partial_over
// expect: "sum"
// expect: "dp"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "batch@dp n=4"> x;
auto const mistaken = sum<"n">(sum<"batch">(x));
