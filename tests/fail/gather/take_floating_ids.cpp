// expect: error::dtype_is_not_supported
// expect: "take"
// expect: "float32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"vocab embed=8"> const& table, Float32<"t"> const& ids) {
  return take<"vocab">(table, ids);
}
