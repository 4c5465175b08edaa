// Specs that types match, for tests of users.

#include <tenon/tenon.hpp>
#include <tenon/testing/shape.hpp>

namespace testing_shapes {

using namespace tenon;
using tenon::testing::has_shape;

using X = Float32<"batch digit=10">;

// Names, order, and what the spec says of sizes.
static_assert(has_shape<X, "batch digit=10">);
static_assert(has_shape<X const&, "batch digit">);
static_assert(has_shape<X, "_ _">);
static_assert(has_shape<decltype(X() + X()), "batch digit=10">);
static_assert(has_shape<decltype(sum(X())), "">);
static_assert(!has_shape<X, "digit=10 batch">);
static_assert(!has_shape<X, "batch 10">);
static_assert(!has_shape<X, "batch digit=11">);
static_assert(!has_shape<X, "batch">);
static_assert(!has_shape<X, "batch digit=10 _">);
static_assert(!has_shape<int, "">);

// A number needs a static size, and bounds need bounds.
static_assert(has_shape<Float32<"batch=32">, "batch">);
static_assert(!has_shape<Float32<"batch">, "batch=32">);
static_assert(has_shape<Float32<"batch=2..8">, "batch=1..8">);
static_assert(has_shape<Float32<"batch=8">, "batch=1..8">);
static_assert(!has_shape<Float32<"batch=9">, "batch=1..8">);
static_assert(!has_shape<Float32<"batch">, "batch=1..8">);

// Expressions in the other axes.
static_assert(has_shape<Float32<"n n+1">, "n n+1">);
static_assert(has_shape<Float32<"n=3 4">, "n n+1">);
static_assert(!has_shape<Float32<"n=3 5">, "n n+1">);
static_assert(!has_shape<Float32<"n _">, "n n+1">);

}  // namespace testing_shapes
