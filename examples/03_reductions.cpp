// Reductions over named axes, and formulas over rows that are evaluated in one pass over memory.

#include <cmath>
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  auto const scores =
      normal<Float32<"student exam=3">>(Key{7}, 60, 15, 5);  // mean, standard deviation, size
  std::cout << "scores, \"student exam=3\":\n" << scores << "\n";

  // By name, by index, or over all axes. A reduction removes its axes.
  auto const best = eval(max<"exam">(scores));
  auto const average = eval(mean<"student">(scores));
  std::cout << "best of each student " << best << "\naverage of each exam " << average << "\n"
            << "average of all " << mean(scores).item() << "; the best exam of each "
            << eval(argmax<"exam">(scores)) << "\n";

  // The result of a reduction broadcasts by its names: `keep` is not needed.
  auto const distance = eval(scores - average);
  auto const normal_scores = eval(distance / sqrt(var<"student">(scores)));
  std::cout << "how many are better than average: " << sum(to<int>(distance > 0)).item() << "\n";

  // Softmax, written as its formula: one kernel, row by row while the row is in the cache.
  auto const before = kernels_run;
  auto const e = exp(distance - max<"exam">(distance));
  Float32<"student exam=3"> const chances = e / sum<"exam">(e);
  std::cout << "softmax took " << kernels_run - before << " kernel:\n" << chances << "\n";

  float const total = sum(chances).item();  // five rows that sum to one
  float const centre = mean(normal_scores).item();
  return std::abs(total - 5) < 1e-5f && std::abs(centre) < 1e-5f && kernels_run > 0 ? 0 : 1;
}
