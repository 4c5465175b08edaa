// expect: "only one variadic can stand here"
// expect: malformed_spec
// expect: "*a *b"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec many = "*b";
auto f(Float<"*a" + many> auto const& x) { return eval(x); }
void g() { f(Float32<"2 3">()); }
