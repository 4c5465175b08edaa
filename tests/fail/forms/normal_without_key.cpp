// expect: error::key_is_missing<
// expect: "normal<R>(Key(42), n)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return normal<Float32<"n">>(10); }
