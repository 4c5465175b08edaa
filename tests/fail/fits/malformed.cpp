// expect: malformed_spec
// expect: "*4"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X>
  requires fits<"*4 n", X>
void f(X const&) {}
void g() { f(Float32<"2 3">()); }
