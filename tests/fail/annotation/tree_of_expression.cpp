// expect: field_is_no_tree
// expect: "is an expression: use eval"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"3"> const& x) { tree::check<"?n">(x + 1); }
