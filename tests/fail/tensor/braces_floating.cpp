// expect g++: floating_literal_on_integers
// expect g++: "int32"
// expect clang++: call to deleted constructor of 'Int32<"n=2">'
// expect note: floating_literal_on_integers
// expect note: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

Int32<"n=2"> a(1, 2.5);
