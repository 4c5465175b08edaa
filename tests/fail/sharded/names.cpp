// expect: axes_do_not_fit
// expect: "add"
// expect: "height=4"
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "height=4@dp"> x;
Sharded<float, "width=4@dp"> y;
auto const mistaken = x + y;
