// expect: shapes_do_not_align<
// expect: "grid_sample"
// expect: "batch channel height width"
// expect: "batch row column 3"
#include <tenon/nn.hpp>

using namespace tenon;

auto mistaken(Float32<"batch channel height width"> const& x,
              Float32<"batch row column 3"> const& grid) {
  return grid_sample(x, grid);
}
