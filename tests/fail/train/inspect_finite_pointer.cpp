// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
#include <tenon/tenon.hpp>
#include <tenon/train/inspect/finite.hpp>

struct Model {
  tenon::Float32<"n">* weight;
};

void check(Model const& model) { tenon::training::check_finite(model); }
