// expect: error::dtypes_differ<
// expect: "add"
// expect: "float32"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Layer {
  auto operator()(Float<"batch"> auto const& x) const -> Float32<"batch"> { return exp(x); }
};

template <class T>
auto mistaken(Float32<"batch"> const& x, Int32<"batch"> const& y) {
  return Layer()(x + y);
}
auto result = mistaken<int>({}, {});
