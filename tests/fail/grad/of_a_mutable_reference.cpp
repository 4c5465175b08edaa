// expect: error::argument_needs_a_const_reference<
// expect: "grad"
// expect: Model
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n=3"> weight;
};

auto mistaken(Model const& model) {
  return grad([](Model& m) { return sum(m.weight); })(model);
}
