// expect: malformed_spec
// expect: "* belongs to annotations"
// expect note: errors/field.cpp:11
// expect lines: 12
// expect within 4: malformed_spec
#include <tenon/tenon.hpp>

using namespace tenon;

struct Model {
  Float32<"n=4 *m"> weight;
};
