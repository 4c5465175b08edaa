#include <tenon/tenon.hpp>

int main() {
  auto const x = tenon::ones<tenon::Float32<"batch digit=10">>(4);
  auto const total = tenon::eval(tenon::sum<"digit">(x * 2.0f));  // "batch"
  return total(3) == 20.0f ? 0 : 1;
}
