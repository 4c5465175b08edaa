// expect: leaf_does_not_fit
// expect: "b"
// expect: "?n: expected 5, got 4"
// expect: "?n, ?n"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
struct Others {
  Float32<"3"> a;
  Float32<"4"> b;
};
void f(Vectors const& x, Others const& y) { tree::check<"?n, ?n">(x, y); }
