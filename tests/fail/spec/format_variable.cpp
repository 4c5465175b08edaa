// expect: constant expression
#include <tenon/tenon.hpp>

using namespace tenon;

int n = 3;
Float32<spec("n={}", n)> mistaken;
