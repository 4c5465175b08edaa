// expect: error::field_is_no_tree<
// expect: "is a variant: use Constant<>"
// expect: "either"
#include <tenon/tree/tree.hpp>
#include <variant>

struct Model {
  std::variant<tenon::Float32<"n=2">, tenon::Float32<"n=3">> either;
};

auto count(Model const& model) { return tenon::tree::count(model); }
