// A program of two files that uses Tenon as single headers: it trains a model, saves it and loads
// it.
#include <filesystem>

#include "tenon.hpp"

using namespace tenon;

float sum_of_squares(Float32<"n"> const& x);

int main() {
  Float32<"n"> const x = normal<Float32<"n">>(Key{1}, 100);
  Float32<"n"> derivatives = grad([](Float32<"n"> const& v) { return sum(v * v); })(x);
  auto const path = std::filesystem::temp_directory_path() / "tenon_single_include.safetensors";
  save(path, derivatives);
  auto const stored = load<Float32<"n">>(path);
  std::filesystem::remove(path);
  bool const is_twice_x = all(stored == x * 2.0f).item();
  bool const is_four_times = std::abs(sum_of_squares(stored) / sum_of_squares(x) - 4) < 1e-5f;
  return is_twice_x && is_four_times ? 0 : 1;
}
