// expect: tenon::tree: a field is a pointer; hold a value, or the pointer in Frozen<>
#include <tenon/tree/tree.hpp>

struct Model {
  tenon::Float32<"n=2"> const* weight;
};

auto count(Model const& model) { return tenon::tree::count(model); }
