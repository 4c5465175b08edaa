// expect: tensor_is_on_no_mesh
// expect: "local_map"
// expect: "d=4"
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "n@dp d=4"> x;
Float32<"d=4"> w;
auto const mistaken =
    local_map<"n@dp d">([](auto const& part, auto const& scale) { return part * scale; })(x, w);
