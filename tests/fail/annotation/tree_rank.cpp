// expect: leaf_does_not_fit
// expect: "a"
// expect: "expected 2 axes, got 1 axis"
// expect: "?n m"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
void f(Vectors const& x) { tree::check<"?n m">(x); }
