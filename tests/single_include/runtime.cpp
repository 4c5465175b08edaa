#define TENON_IMPLEMENTATION
#include "tenon_compiled.hpp"
