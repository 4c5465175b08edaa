// expect: scalar_would_be_narrowed<int, float>
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

void add(int& total, Float32<"n"> const& x) { total += mean(x); }
