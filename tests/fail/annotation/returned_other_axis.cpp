// expect: "batch word=12"
// expect: "batch word=13"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Scores {
  auto operator()(Float<"batch word=13"> auto const& x) const -> Float32<"batch word=12"> {
    Float32<"batch word=13"> const y = x;
    return y * 2;
  }
};
auto result = Scores{}(Float32<"batch word=13">{});
