// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "#n=1..8: expected n=1..8, got 9"
// expect note: "#n=1..8"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#n=1..8"> auto const&) {}
void g() { f(Mask<"9">()); }
