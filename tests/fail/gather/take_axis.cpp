// expect: error::axis_is_not_found
// expect: "take"
// expect: "token"
// expect: "vocab embed=8"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"vocab embed=8"> const& table, Int32<"t"> const& ids) {
  return take<"token">(table, ids);
}
