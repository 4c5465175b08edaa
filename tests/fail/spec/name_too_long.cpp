// expect: "a name is too long"
// expect: malformed_spec
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop"> mistaken;
