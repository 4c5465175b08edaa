// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "#n: expected n=3, got n=4"
// expect note: "#n #n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#n #n"> auto const&) {}
void g() { f(Mask<"3 4">()); }
