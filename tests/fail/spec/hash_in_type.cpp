// expect: "# belongs to annotations"
// expect: malformed_spec
// expect: "#n m"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"#n m"> mistaken;
