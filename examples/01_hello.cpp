// Tensors: their shape is part of their type, and they are printed as by NumPy.

#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  Float32<"2 3"> const x{{1, 2, 3}, {4, 5, 6}};  // sizes only
  Float32<"row=2 column=3"> const y = x;         // the same elements, axes with names
  Float32<"batch 3"> z = x;                      // a run-time size, taken from x

  std::cout << "x is \"" << x.spec.view() << "\":\n" << x << "\n";
  std::cout << "y is \"" << y.spec.view() << "\", z is \"" << z.spec.view() << "\"\n";
  std::cout << "z has " << size<"batch">(z) << " rows; x(1, 2) is " << x(1, 2) << "\n";

  // Tensors are values: a copy shares its elements until one of the two is written.
  auto const before = z;
  z(0, 0) = 100;
  std::cout << "written " << z(0, 0) << ", the copy is still " << before(0, 0) << "\n";

  // An expression is lazy: it is evaluated, in one loop, when it is assigned to a tensor.
  Float32<"2 3"> const half = (x + 1) / 2;
  std::cout << "(x + 1) / 2 is\n" << half << "\n";

  // Creating tensors. The sizes of run-time axes are given in order.
  auto const zero = zeros<Float32<"batch 3">>(4);
  auto const count = iota<Int32<"n">>(5);
  std::cout << "zeros with " << zero.size() << " elements; iota is " << count << "\n";

  // Small tensors can be evaluated at compile time, like all checks of shapes.
  constexpr Float32<"2 2"> m{{1, 2}, {3, 4}};
  static_assert(matmul(m, m)(1, 1) == 22);
  static_assert(shape_of<decltype(half)> == "2 3");

  bool const right = before(0, 0) == 1 && half(1, 2) == 3.5f && count(4) == 4;
  return right ? 0 : 1;
}
