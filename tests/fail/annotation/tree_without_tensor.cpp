// expect: leaf_does_not_fit
// expect: "there is no tensor"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(int x) { tree::check<"n">(x); }
