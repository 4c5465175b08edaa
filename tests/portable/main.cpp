// Prints which variant was loaded and softmax of a few numbers; fails unless they sum to one.
#include "kernels.hpp"

#include <cmath>
#include <cstdio>

int main() {
  float from[37], to[37];
  for (int i = 0; i < 37; ++i) from[i] = static_cast<float>(std::sin(i));
  softmax(from, to, 37);
  double sum = 0, exact = 0, worst = 0;
  for (float const x : from) exact += std::exp(double(x));
  for (int i = 0; i < 37; ++i) {
    sum += double(to[i]);
    worst = std::fmax(worst, std::fabs(double(to[i]) * exact / std::exp(double(from[i])) - 1));
  }
  std::printf("%s: sum %.7f, worst relative error %.1e\n", instructions(), sum, worst);
  return std::fabs(sum - 1) < 1e-6 && worst < 1e-6 ? 0 : 1;
}
