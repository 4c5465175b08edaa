// expect: error::field_is_no_tree<
// expect: "has a constructor or private data"
// expect: "rest.1"
#include <tenon/tree/tree.hpp>

class Scale {
 public:
  auto const& gamma() const { return gamma_; }

 private:
  tenon::Float32<"n=2"> gamma_;
};
struct Model {
  std::pair<int, Scale> rest;
};

auto count(Model const& model) { return tenon::tree::count(model); }
