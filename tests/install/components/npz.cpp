#include <tenon/io/npz.hpp>
#include <tenon/tenon.hpp>

#include <filesystem>

using namespace tenon;

struct Arrays {
  Float32<"n"> x;
};

int main() {
  auto const path = std::filesystem::temp_directory_path() / "tenon_component.npz";
  npz::save(path, Arrays{{1, 2, 3}});
  bool const is_same = npz::load<Arrays>(path).x(2) == 3;
  return std::filesystem::remove(path) && is_same ? 0 : 1;
}
