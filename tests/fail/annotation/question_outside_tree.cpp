// expect: "? belongs to annotations of trees"
// expect: malformed_spec
// expect: "?n"
// expect: "?n m"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"?n m">(Shape{});
