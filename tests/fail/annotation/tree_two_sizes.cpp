// expect: leaf_does_not_fit
// expect: "b"
// expect: "n: expected 3, got 5"
// expect: "n"
// expect: "5"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
void f(Vectors const& x) { tree::check<"n">(x); }
