// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "#4: expected 4, got 3"
// expect note: "#4"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#4"> auto const&) {}
void g() { f(Mask<"3">()); }
