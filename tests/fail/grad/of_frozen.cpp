// expect: error::nothing_is_learned
// expect: "grad"
// expect: "all floating tensors are Frozen<>"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Frozen<Float32<"n=2">> weight;
  Int32<"n=2"> ids;
};

auto mistaken(Model const& model) {
  return grad([](Model const& m) { return sum(*m.weight); })(model);
}
