// expect: error::key_is_missing<
// expect: "permutation<R>(Key(42), n)"
// expect lines: 8
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken() { return permutation(10); }
