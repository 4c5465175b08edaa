// expect: dtype_is_not_supported
// expect: "mean"
// expect: "int64"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<std::int64_t, "batch@dp n=4"> x;
auto const mistaken = mean<"n">(x);
