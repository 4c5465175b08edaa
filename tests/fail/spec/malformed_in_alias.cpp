// expect: malformed_spec
// expect: "width="
// expect: "a size or bounds must follow ="
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Int32<"batch height=28 width="> image;
};
