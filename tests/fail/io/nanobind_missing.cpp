// expect: tenon/io/nanobind.hpp: expected nanobind 2.10 or newer
#define __has_include(header) 0
#include <tenon/io/nanobind.hpp>
