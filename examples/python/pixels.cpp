// A Python module: functions of arrays of NumPy, PyTorch and JAX, which are not copied.

#include <cstdint>

#include <tenon/io/nanobind.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

/// Images of bytes as numbers from -1 to 1, with the mean of each image subtracted.
Float32<"batch height width"> centred(View<std::uint8_t, "batch height width"> const& images) {
  auto const x = to<float>(images) / 127.5f - 1;
  return x - mean<"height width">(x, keep);
}

/// Multiplies an array in place.
void scale(MutableView<float, "batch class"> const& scores, float factor) {
  assign(scores, factor * scores);
}

Float32<"batch class=10"> probabilities(View<float, "batch class=10"> const& scores) {
  return softmax<"class">(scores);
}

NB_MODULE(pixels, module) {
  register_python_errors();
  module.def("centred", &centred);
  module.def("scale", &scale);
  module.def("probabilities", &probabilities);
  module.def("address", [](View<float, "batch class"> const& scores) {
    return reinterpret_cast<std::uintptr_t>(scores.data());
  });
}
