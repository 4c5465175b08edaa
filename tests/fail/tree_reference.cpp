// expect: tenon::tree: a field cannot be default-constructed (is it a reference?)
#include <tenon/tree/tree.hpp>

struct Model {
  tenon::Float32<"n=2">& weight;
};

auto count(Model const& model) { return tenon::tree::count(model); }
