// expect: argument_may_hold_tensors
// expect: "local_map"
// expect: Parameters
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

struct Parameters {
  Float32<"d=4"> scale;
};
Sharded<float, "n@dp d=4"> x;
auto const mistaken = local_map<"n@dp d">(
    [](auto const& part, Parameters const& p) { return part * p.scale; })(x, Parameters());
