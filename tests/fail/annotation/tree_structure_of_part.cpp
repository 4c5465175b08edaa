// expect: trees_differ_in_structure
// expect: "tree::check"
// expect: "pair"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Vectors {
  Float32<"3"> a;
  Float32<"5"> b;
};
struct One {
  Vectors pair;
};
struct Two {
  Float32<"3"> pair;
};
void f(One const& x, Two const& y) { tree::check<"?n, ?n">(x, y); }
