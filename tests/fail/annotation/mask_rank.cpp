// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "expected 1 axis, got 2 axes"
// expect note: "#n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#n"> auto const&) {}
void g() { f(Mask<"1 1">()); }
