// expect: no matching function
// expect note: pattern_does_not_fit<
// expect note: "fits"
// expect note: "n: expected a=3, got b=4"
// expect note: "b n, n m"
// expect note: "2 a=3"
// expect note: "b=4 5"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X, class Y>
  requires fits<"b n, n m", X, Y>
void f(X const&, Y const&) {}
void g() { f(Float32<"2 a=3">(), Float32<"b=4 5">()); }
