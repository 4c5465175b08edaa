// expect: no match
// expect note: leaf_does_not_fit<
// expect note: "a"
// expect note: "?n: expected 3, got 5"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
struct Others {
  Float32<"5"> a;
  Float32<"5"> b;
};
template <class X, class Y>
  requires tree::fits<"?n, ?n", X, Y>
void f(X const&, Y const&) {}
void g() { f(Vectors(), Others()); }
