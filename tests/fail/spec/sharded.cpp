// expect: "sharded axes belong to Sharded"
// expect: malformed_spec
// expect: "row@dp column"
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"row@dp column"> mistaken;
