#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  Float32<"row=2 column=2"> const a{{1, 2}, {3, 4}};
  Float32<"row=2 column=2"> const b = a + a;
  return b(1, 1) == 8.0f ? 0 : 1;
}
