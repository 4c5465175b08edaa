// expect g++: rows_in_braces_do_not_fit
// expect g++: "2 2"}, 2, 2>
// expect clang++: call to deleted constructor of 'Float32<"2 2">'
// expect note: rows_in_braces_do_not_fit
// expect note: "2 2"}, 2, 2>
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"2 2"> a{{1, 2}};
