// expect: deleted
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = view(Float32<"n">{1, 2});
