// expect: error::pattern_does_not_fit
// expect: "take"
// expect: "one axis is needed"
// expect: "vocab embed"
// expect: "vocab embed=8"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"vocab embed=8"> const& table, Int32<"t"> const& ids) {
  return take<"vocab embed">(table, ids);
}
