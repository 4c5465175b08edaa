#include "tenon.hpp"

float sum_of_squares(tenon::Float32<"n"> const& x) { return tenon::sum(x * x).item(); }
