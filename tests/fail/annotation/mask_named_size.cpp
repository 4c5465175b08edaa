// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "#n=4: expected n=4, got 2"
// expect note: "#n=4 k"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#n=4 k"> auto const&) {}
void g() { f(Mask<"2 k">()); }
