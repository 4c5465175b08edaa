// expect: "a size or bounds must follow ="
// expect: malformed_spec
// expect: "batch="
// shown in: docs/language.md
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch="> mistaken;
