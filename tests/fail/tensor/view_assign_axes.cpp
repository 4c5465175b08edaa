// expect: axes_do_not_fit
// expect: "assign"
// expect: "n=3"
// expect: "n=4"
#include <tenon/tenon.hpp>

using namespace tenon;

float numbers[3]{};
void mistaken() { assign(view<Float32<"n=3">>(numbers), Float32<"n=4">()); }
