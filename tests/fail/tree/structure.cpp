// expect: tenon::tree: the trees differ in structure
#include <tenon/tree/tree.hpp>

struct Layer {
  tenon::Float32<"n=2"> weight, bias;
};
struct Other {
  tenon::Float32<"n=2"> weight;
};

void add(Layer& a, Other const& b) {
  tenon::tree::zip([](auto& x, auto const& y) { x = y; }, a, b);
}
