// expect: tenon/io/nanobind.hpp: expected nanobind 2.10 or newer
// alone: its macro is for its header
#define __has_include(header) 0
#include <tenon/io/nanobind.hpp>
