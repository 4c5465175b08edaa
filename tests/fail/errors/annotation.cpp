// expect: malformed_spec
// expect: "a size or bounds must follow ="
// expect note: errors/annotation.cpp:11
// expect lines g++: 12
// expect lines clang++: 34
#include <tenon/tenon.hpp>

using namespace tenon;

auto f(Float<"batch n="> auto const& image) { return image; }
auto g(Float32<"batch n"> const& x) { return f(x); }
