// expect: error::malformed_spec
// expect: "row=-1"
#include <vector>

#include <tenon/tenon.hpp>

auto mistaken(std::vector<float>& a) { return tenon::view<"row=-1 column">(a, 2); }
