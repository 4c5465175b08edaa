// What tests/static asserts of the shape rules at compile time, evaluated again at run time: each
// of its `static_assert` is a static variable here that keeps the result.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../static/answers.hpp"
#include "../static/rules.hpp"

#include <tenon/core/rules/convolution.hpp>
#include <tenon/core/rules/matrices.hpp>
#include <tenon/core/rules/reshape.hpp>

namespace static_claims_test {

struct Claims {
  int count = 0;
  std::vector<std::string> wrong;
};

inline Claims& claims() {
  static Claims all;
  return all;
}

/// Not a constant expression: the compiler does not try to evaluate what follows it.
inline bool at_run_time() { return true; }

inline bool claim(bool holds, char const* file, int line) {
  ++claims().count;
  if (!holds) claims().wrong.push_back(std::string(file) + ":" + std::to_string(line));
  return holds;
}

}  // namespace static_claims_test

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wkeyword-macro"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#endif
#define TENON_JOINED(a, b) a##b
#define TENON_CLAIM(line) TENON_JOINED(claim_, line)
#define static_assert(...)                                   \
  [[maybe_unused]] static bool const TENON_CLAIM(__LINE__) = \
      static_claims_test::at_run_time() &&                   \
      static_claims_test::claim((__VA_ARGS__), __FILE__, __LINE__)

namespace of_axes {
#include "../static/agreeing.cpp"
}
namespace of_annotations {
using namespace ::answers;
#include "../static/annotation.cpp"
}  // namespace of_annotations
namespace of_broadcasting {
#include "../static/broadcasting.cpp"
}
namespace of_choices {
#include "../static/choosing.cpp"
}
namespace of_contractions {
using namespace ::answers;
#include "../static/contraction.cpp"
}  // namespace of_contractions
namespace of_convolutions {
#include "../static/convolving.cpp"
}
namespace of_einsum {
using namespace ::answers;
#include "../static/contraction_einsum.cpp"
}  // namespace of_einsum
namespace of_sizes {
#include "../static/fitting.cpp"
}
namespace of_joined_axes {
#include "../static/joining.cpp"
}
namespace of_matrices {
#include "../static/matrices.cpp"
}
namespace of_mistakes {
#include "../static/malformed.cpp"
}
namespace of_rearranging {
using namespace ::answers;
#include "../static/rearrange.cpp"
}  // namespace of_rearranging
namespace of_reshaping {
#include "../static/reshaping.cpp"
}
namespace of_specs {
#include "../static/specs.cpp"
}

TEST_CASE("what is asserted of shapes at compile time is true at run time") {
  CHECK(static_claims_test::claims().count > 700);
  for (std::string const& where : static_claims_test::claims().wrong) FAIL_CHECK(where);
}
