// expect: error::axes_do_not_fit
// expect: "add"
// expect: "height=28"
// expect: "width=28"
// expect: "batch=32 height=28"
// expect: "batch=32 width=28"
// shown in: docs/language.md
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch=32 height=28"> const& a, Float32<"batch=32 width=28"> const& b) {
  return a + b;
}
