// expect g++: class template argument deduction failed
// expect clang++: alias template 'Float32' requires template arguments
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken() { Float32 x; }
