// expect: error::devices_differ
// expect: "take"
// expect: "cpu"
// expect: "reference"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"vocab embed"> const& table, Int32<"t", Reference> const& ids) {
  return take<"vocab">(table, ids);
}
