// expect: "# before _: it already fits 1"
// expect: malformed_spec
// expect: "#_"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"#_">(Shape{});
