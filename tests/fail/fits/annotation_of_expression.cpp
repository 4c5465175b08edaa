// expect: no matching function
// expect note: annotation_does_not_fit<
// expect note: "expected 2 axes, got 3 axes"
// expect note: "batch pixel=784"
// expect note: "2 batch pixel=784"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float<"batch pixel=784"> auto const&) {}
void g() { f(Float32<"2 1 1">() + Float32<"batch pixel=784">()); }
