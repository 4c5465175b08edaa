// expect: "# before _: it already fits 1"
// expect: malformed_spec
// expect: "#_"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"#_"> mistaken;
