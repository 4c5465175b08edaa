// expect: axis_is_not_found<
// expect: "take"
// expect: "m"
#include <tenon/indexing.hpp>

auto mistaken(tenon::Float32<"row=2 n=3"> const& x, tenon::Int32<"k=2"> const& ids) {
  return tenon::take<"m">(x, ids, tenon::TakeMode::clip);
}
