#include <tenon/tenon.hpp>

int main() {
  auto const x = tenon::ones<tenon::Float32<"row=32 column">>(48);
  auto const product = tenon::eval(tenon::matmul(x, tenon::transpose(x)));
  return product(31, 31) == 48.0f ? 0 : 1;
}
