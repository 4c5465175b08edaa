// expect: error::field_is_no_tree<
// expect: "is an expression: use eval"
// expect: "0"
#include <tenon/tenon.hpp>

using namespace tenon;

auto count(Float32<"n=2"> const& x) { return tree::count(std::tuple(exp(x) + 1.0f, x)); }
