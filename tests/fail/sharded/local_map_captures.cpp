// expect: function_captures_pass_arguments
// expect: "local_map"
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp d=4"> x;

auto mistaken(Float32<"d=4"> const& w) {
  return local_map<"n@dp d">([w](auto const& part) { return part * w; })(x);
}
