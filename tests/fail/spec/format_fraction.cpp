// expect: neither_an_integer_nor_a_name<double>
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<spec("n={}", 1.5)> mistaken;
