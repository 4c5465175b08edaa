// expect: dtype_is_not_supported<
// expect: "take"
// expect: "float32"
#include <tenon/tenon.hpp>

auto embedded(tenon::Embedding<"vocab=97", "embed=64"> const& table,
              tenon::Float32<"batch t"> const& ids) {
  return eval(table(ids));
}
