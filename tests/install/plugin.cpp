#include <tenon/tenon.hpp>

/// A function of a shared library.
float sum_of_squares(tenon::Float32<"n"> const& x) { return tenon::sum(x * x).item(); }
