// expect: "a name in it is bound nowhere"
// expect: malformed_spec
// expect: "n, max(n,k)"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X, class Y>
  requires fits<"n, max(n,k)", X, Y>
void f(X const&, Y const&) {}
void g() { f(Float32<"2">(), Float32<"2">()); }
