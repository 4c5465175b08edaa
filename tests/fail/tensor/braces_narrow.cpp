// expect: narrow
#include <tenon/tenon.hpp>

using namespace tenon;

Tensor<std::int8_t, "2"> a{1, 300};
