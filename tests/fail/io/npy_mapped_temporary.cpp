// expect g++: use of deleted function
// expect clang++: call to deleted member function 'view'
#include <tenon/io/npy.hpp>

auto dangling_view() { return tenon::npy::Mapped<tenon::Float32<"n">>("x.npy").view(); }
