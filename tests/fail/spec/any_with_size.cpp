// expect: "_ is of any size: = cannot follow"
// expect: malformed_spec
// expect: "_=3"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"_=3"> mistaken;
