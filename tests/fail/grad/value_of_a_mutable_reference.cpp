// expect: error::argument_needs_a_const_reference<
// expect: "value_and_grad"
// expect: Model
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n=3"> weight;
};

auto mistaken(Model& model) {
  return value_and_grad([](Model& m) { return sum(m.weight); })(model);
}
