// expect: no matching function
// expect: f
// expect note: annotation_does_not_fit<
// expect note: "pixel=784: expected pixel=784, got pixel=512"
// expect note: "batch pixel=784"
// expect note: "batch pixel=512"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float<"batch pixel=784"> auto const&) {}
void g() { f(Float32<"batch pixel=512">()); }
