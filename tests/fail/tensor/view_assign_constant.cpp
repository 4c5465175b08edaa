// expect: no matching function
#include <tenon/tenon.hpp>

using namespace tenon;

float const numbers[3]{};
void mistaken() { assign(view<Float32<"3">>(numbers), Float32<"3">()); }
