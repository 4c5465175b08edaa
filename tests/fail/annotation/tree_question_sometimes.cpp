// expect: "? before a name: always or never"
// expect: malformed_spec
// expect: "?n"
// expect: "?n n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(tree::Float<"?n n"> auto const&) {}
void g() { f(Float32<"3 3">()); }
