// expect: error::scalar_is_no_dtype
// expect: "view"
// expect: long double
#include <vector>

#include <tenon/tenon.hpp>

auto mistaken(std::vector<long double>& a) { return tenon::view<"n">(a); }
