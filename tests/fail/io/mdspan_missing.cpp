// expect: tenon/io/mdspan.hpp: expected <mdspan> (C++23)
// alone: its macro is for its header
#define __has_include(header) 0
#include <tenon/io/mdspan.hpp>
