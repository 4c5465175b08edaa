// expect: "* and + exclude each other"
// expect: malformed_spec
// expect: "*+n"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"*+n"> mistaken;
