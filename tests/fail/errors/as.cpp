// expect: malformed_spec
// expect note: errors/as.cpp:9
// expect lines g++: 16
// expect lines clang++: 25
#include <tenon/tenon.hpp>

using namespace tenon;

auto f(Float32<"a b"> const& x) { return as<"a= b">(x); }
