// expect: no matching function
// expect note: evaluated to
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float<"n"> auto const&) {}
void g() { f(Int32<"n">()); }
