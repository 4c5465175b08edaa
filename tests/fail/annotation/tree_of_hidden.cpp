// expect: field_is_no_tree
// expect: "has a constructor or private data"
// expect: "hidden"
#include <tenon/tenon.hpp>

using namespace tenon;

class Hidden {
  float value_ = 1;
};
struct Model {
  Float32<"3"> a;
  Hidden hidden;
};
void f(Model const& x) { tree::check<"?n">(x); }
