// expect: wrong_number_of_axes<
// expect: "repeat_interleave"
// expect: 1, 2
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"row=2 n=3"> const& counts) {
  return tenon::repeat_interleave<"row">(x, counts);
}
