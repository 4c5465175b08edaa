// expect: malformed_spec
// expect: "n,"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float<"n, m"> auto const&) {}
void g() { f(Float32<"2 3">()); }
