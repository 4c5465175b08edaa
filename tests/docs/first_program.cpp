// The first program of docs/getting_started.md; getting_started_test.cpp runs it.

#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
  Float32<"row=2"> const total = sum<"column">(x);
  Float32<"row=2 column=3"> const share = x / total;  // each row divided by its sum
  std::cout << total << "\n" << share << "\n";
  return 0;
}
