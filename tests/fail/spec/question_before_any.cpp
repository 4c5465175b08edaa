// expect: "? before _: it already fits all"
// expect: malformed_spec
// expect: "?_"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"?_"> mistaken;
