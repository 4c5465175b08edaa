// expect: Reference
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n", Reference> mistaken(Float32<"n"> const& x) { return x; }
