// expect: no match
// expect note: Bool
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#n"> auto const&) {}
void g() { f(Float32<"1">()); }
