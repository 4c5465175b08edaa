// The part that a project with tenon::compiled compiles once, with -DTENON_IMPLEMENTATION.

#include <tenon/compiled.hpp>
