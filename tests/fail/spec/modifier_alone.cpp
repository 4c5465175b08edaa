// expect: "a modifier must stand before a name"
// expect: malformed_spec
// expect: "batch # 4"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch # 4"> mistaken;
