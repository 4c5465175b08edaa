// expect: malformed_spec
// expect: "another number of arguments"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
void f(Vectors const& x) { tree::check<"?n, ?n">(x); }
