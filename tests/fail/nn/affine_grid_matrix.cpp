// expect: shapes_do_not_align<
// expect: "affine_grid"
// expect: "batch 3 2"
// expect: "batch 2 3"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch 3 2"> const& theta) { return affine_grid<"height=4 width=5">(theta); }
