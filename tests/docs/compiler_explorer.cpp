// The program of docs/compiler_explorer.md; tests/single_include compiles it with the text of the
// single header in place of the include.

#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

struct Line {
  Float32<"in=3 out=2"> weight;
  Float32<"out=2"> bias;

  auto operator()(Float<"batch in=3"> auto const& x) const {
    return eval(matmul(x, weight) + bias);  // "batch out=2"
  }
};

int main() {
  Float32<"batch in=3"> const x{{1, 2, 3}, {4, 5, 6}};
  auto const model = init::normal<Line>(Key{42}, 0.1f);
  auto const loss = [&](Line const& line) { return mean(square(line(x))); };
  auto const [value, gradient] = value_and_grad(loss)(model);
  std::cout << value << "\n" << gradient.weight << "\n";
  // matmul(model.weight, x);  // "out=2" against "batch": remove the // to read the error
  return 0;
}
