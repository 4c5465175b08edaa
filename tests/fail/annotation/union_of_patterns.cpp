// expect: no match
// expect note: fits
// expect note: "b n, n m"
// expect note: "b n, m n"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X, class Y>
  requires fits<"b n, n m", X, Y> || fits<"b n, m n", X, Y>
void f(X const&, Y const&) {}
void g() { f(Float32<"2 3">(), Float32<"4 5">()); }
