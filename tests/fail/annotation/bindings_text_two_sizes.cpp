// expect: pattern_does_not_fit
// expect: "bindings_text"
// expect: "n: expected 3, got 4"
// expect: "b n, n m"
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x, Float32<"4 5"> const& y) {
  static_cast<void>(bindings_text<"b n, n m">(x, y));
}
