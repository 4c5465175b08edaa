// expect: "... takes no modifier"
// expect: malformed_spec
// expect: "#..."
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"#..."> mistaken;
