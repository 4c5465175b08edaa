#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

int main() {
  auto const x = tenon::ones<tenon::Float32<"batch digit=10">>(4);
  CHECK_SHAPE(x, "batch=4 digit=10");  // without a test framework a failure ends the program
  CHECK_CLOSE(tenon::sum<"digit">(x), tenon::full<tenon::Float32<"batch">>(10.0f, 4));
  return 0;
}
