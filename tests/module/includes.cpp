// A file of the same program that includes the headers.
#include <tenon/tenon.hpp>

tenon::Float32<"batch"> row_sums(tenon::Float32<"batch in=3"> const& x) {
  return tenon::sum<"in">(x);
}
