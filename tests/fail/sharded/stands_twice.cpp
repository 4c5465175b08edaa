// expect: malformed_sharding
// expect: "t@tp t"
// expect g++: is divided and stands twice: rename one axis
// expect clang++: is divided and stands twice: renam
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Sharded<float, "t@tp t"> mistaken;
