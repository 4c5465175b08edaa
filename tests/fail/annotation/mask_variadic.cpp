// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "expected at least 1 axis, got 0 axes"
// expect note: "*#b n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"*#b n"> auto const&) {}
void g() { f(Mask<"">()); }
