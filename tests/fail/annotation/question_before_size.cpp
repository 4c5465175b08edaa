// expect: "? takes a name, not a size"
// expect: malformed_spec
// expect: "?4"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(tree::Float<"?4"> auto const&) {}
void g() { f(Float32<"3">()); }
