// expect: axes_do_not_fit<
// expect: "n=3"
// expect: "n=2"
#include <tenon/distributions.hpp>

auto draws(tenon::Float32<"n=3"> const& loc, tenon::Float32<"n=2"> const& scale) {
  return tenon::distributions::Normal{loc, scale}.sample(tenon::Key(1));
}
