// Writes the present sizes of the layers, rounded up, as their budgets: scripts/structure --budgets

#include "budgets.hpp"

int main() {
  using namespace structure;
  auto const path = fs::path(TENON_ROOT) / "docs" / "house.md";
  auto const sizes = count_layers(read_all(TENON_ROOT, "include", {".hpp", ".ipp"}));
  auto const page = with_budgets(read(path), round_up(sizes));
  std::ofstream(path, std::ios::binary) << page;
}
