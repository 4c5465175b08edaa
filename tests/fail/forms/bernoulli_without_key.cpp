// expect: error::key_is_missing<
// expect: "bernoulli<R>(Key(42), n)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return bernoulli<Mask<"n=3">>(0.5f); }
