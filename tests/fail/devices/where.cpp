// expect: error::devices_differ
// expect: "where"
// expect: "reference"
// expect: "cpu"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Mask<"n", Reference> const& mask, Float32<"n"> const& a) {
  return where(mask, a, 0.0f);
}
