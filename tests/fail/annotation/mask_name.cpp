// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "#query: expected query, got row"
// expect note: "#query"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Bool<"#query"> auto const&) {}
void g() { f(Mask<"row">()); }
