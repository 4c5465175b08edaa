// expect: "? takes a name, not an expression"
// expect: malformed_spec
// expect: "?n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(tree::Float<"?n+1"> auto const&) {}
void g() { f(Float32<"3">()); }
