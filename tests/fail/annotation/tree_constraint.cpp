// expect: no match
// expect note: leaf_does_not_fit<
// expect note: "b"
// expect note: "n: expected n=3, got n=5"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
void f(tree::Float<"n"> auto const&) {}
void g() { f(Vectors()); }
