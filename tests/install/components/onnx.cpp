#include <tenon/io/onnx.hpp>
#include <tenon/tenon.hpp>

#include <filesystem>

using namespace tenon;

struct Inputs {
  Float32<"batch pixel=4"> image;
};

int main() {
  auto const path = std::filesystem::temp_directory_path() / "tenon_component.onnx";
  onnx::save(
      path, [](Inputs const& in) { return exp(in.image); },
      Inputs{ones<Float32<"batch pixel=4">>(2)});
  return std::filesystem::remove(path) ? 0 : 1;
}
