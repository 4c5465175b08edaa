// expect: malformed_spec
// expect: "a size or bounds must follow ="
// expect note: errors/spec.cpp:10
// expect lines: 12
// expect within 4: malformed_spec
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch n="> x;
