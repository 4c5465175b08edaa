// expect: "one name stands for two sizes"
// expect: malformed_spec
// expect: "n=3 n=4 max(n,2)"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n=3 n=4 max(n,2)"> mistaken;
