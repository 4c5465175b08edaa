// expect: tenon::tree: the function takes neither these leaves nor a path and the leaves
#include <tenon/tree/tree.hpp>

struct Layer {
  tenon::Float32<"n=2"> weight;
};

void visit(Layer const& layer) {
  tenon::tree::for_each([](int) {}, layer);
}
