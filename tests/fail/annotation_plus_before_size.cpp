// expect: "+ takes a name, not a size"
// expect: malformed_spec
// expect: "+4"
#include <tenon/core/annotation.hpp>

using namespace tenon;

bool const mistaken = annotation_fits<"+4">(Shape{});
