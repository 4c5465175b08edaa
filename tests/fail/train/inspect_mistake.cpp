// expect: error::axes_do_not_fit<
// expect: "add"
#include <tenon/tenon.hpp>
#include <tenon/train/inspect/statistics.hpp>

auto found(tenon::Float32<"n=2"> const& x, tenon::Float32<"n=3"> const& y) {
  return tenon::training::statistics(x + y).mean;
}
