// expect: error::key_is_missing<
// expect: "uniform<R>(Key(42), n)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return uniform<Float32<"n=3">>(); }
