// expect: error::devices_differ
// expect: "solve"
// expect: "cpu"
// expect: "reference"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n n"> const& a, Float64<"n", Reference> const& b) {
  return linalg::solve(a, b);
}
