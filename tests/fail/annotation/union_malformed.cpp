// expect: malformed_spec
// expect: "*4"
#include <tenon/tenon.hpp>

using namespace tenon;

template <class X>
  requires Float<X, "*4 n"> || Float<X, "n">
void f(X const&) {}
void g() { f(Float32<"2 3">()); }
