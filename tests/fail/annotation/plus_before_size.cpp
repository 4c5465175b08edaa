// expect: "+ takes a name, not a size"
// expect: malformed_spec
// expect: "+4"
#include <tenon/tenon.hpp>

using namespace tenon;

bool const mistaken = tenon::internal::annotation_fits<"+4">(Shape{});
