// expect: dtype_is_not_supported<
// expect: "randint"
// expect: "float32"
#include <tenon/distributions.hpp>

auto dice() { return tenon::random::randint<tenon::Float32<"n">>(tenon::Key(1), 1, 7, 10); }
