// expect: tenon::npz: a leaf is neither a tensor nor a number
#include <tenon/io/npz.hpp>

struct Data {
  tenon::Float32<"n=2"> weight;
  long double rate = 0;
};

auto load_data() { return tenon::npz::load<Data>("x.npz"); }
