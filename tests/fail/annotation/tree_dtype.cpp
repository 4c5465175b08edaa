// expect: no match
// expect note: Float
// expect note: are_of_dtype
#include <tenon/tenon.hpp>

using namespace tenon;

struct Mixed {
  Float32<"3"> a;
  Int32<"3"> b;
};
void f(tree::Float<"n"> auto const&) {}
void g() { f(Mixed()); }
