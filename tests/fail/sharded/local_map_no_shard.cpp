// expect: no_argument_is_sharded
// expect: "local_map"
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto const mistaken = local_map<"d=3">([](double a) { return full<Float64<"d=3">>(a); })(2.0);
