// expect: no matching function
#include <vector>

#include <tenon/tenon.hpp>

void mistaken(std::vector<float> const& a) {
  tenon::assign(tenon::view<"n">(a), tenon::Float32<"n">());
}
