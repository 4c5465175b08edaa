// expect: tenon/io/mdspan.hpp: expected <mdspan> (C++23)
#define __has_include(header) 0
#include <tenon/io/mdspan.hpp>
