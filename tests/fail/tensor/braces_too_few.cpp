// expect g++: wrong_number_of_elements
// expect g++: "n=3"}, 3, 2>
// expect clang++: call to deleted constructor of 'Float32<"n=3">'
// expect note: wrong_number_of_elements
// expect note: "n=3"}, 3, 2>
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"n=3"> a = {1, 2};
