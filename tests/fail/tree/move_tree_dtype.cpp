// expect: error::dtype_is_fixed<
// expect: "to"
// expect: "float64"
// expect: Model
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n"> weight;
};

auto wide(Model const& model) { return to<double>(model); }
