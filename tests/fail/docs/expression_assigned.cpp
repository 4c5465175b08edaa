// expect: error::expressions_are_not_assigned
// expect: "write auto h = eval(...)"
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"n"> const& x) {
  auto h = relu(x);
  h = h + 1;
}
