// expect: error::device_is_fixed<
// expect: "to"
// expect: Model
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n"> weight;
};

auto moved(Model const& model) { return to<Reference>(model); }
