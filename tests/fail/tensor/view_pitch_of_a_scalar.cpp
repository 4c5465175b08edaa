// expect: error::wrong_number_of_strides
// expect: "view"
// expect: 0, 1
#include <tenon/tenon.hpp>

auto mistaken(float* a) { return tenon::view<"">(a, tenon::RowPitch(4)); }
