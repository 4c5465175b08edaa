// expect: error::key_is_missing<
// expect: "random_bits<R>(Key(42), n)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return random_bits<UInt32<"n">>(10); }
