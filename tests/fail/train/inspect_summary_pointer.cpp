// expect: error::field_is_no_tree<
// expect: "is a pointer: use Constant<>"
// expect: "weight"
#include <memory>

#include <tenon/tenon.hpp>
#include <tenon/train/inspect/summary.hpp>

struct Model {
  std::shared_ptr<tenon::Float32<"n">> weight;
};

auto found(Model const& model) { return tenon::training::summary(model); }
