// expect: tenon/io/eigen.hpp: expected Eigen 3.4 or newer
// alone: its macro is for its header
#define __has_include(header) 0
#include <tenon/io/eigen.hpp>
