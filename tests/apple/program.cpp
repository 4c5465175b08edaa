// Instantiates code of every header with Apple's C++ library and processor: `.ci/apple` compiles it
// without running it.

#include <tenon/tenon.hpp>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/backend/cuda.hpp>
#include <tenon/backend/metal.hpp>
#include <tenon/backend/opencl.hpp>

#include <tenon/backend/devices.hpp>
#include <tenon/eval/capture.hpp>
#include <tenon/eval/print_graph.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/train/compare_devices.hpp>
#include <tenon/tree/wide.hpp>

using namespace tenon;

template <class D>
float computed(D) {
  auto const x = to<D>(ones<Float32<"n k">>(3, 4));
  auto step = capture<D>([](auto const& y) { return eval(softmax<"k">(y)); });
  auto const [loss, derivative] = value_and_grad(
      [](auto const& y) { return sum(relu(matmul(y, transpose<"k n">(y)) * 2.0f)); })(x);
  return loss.item() + to<Cpu>(derivative)(0, 0) + to<Cpu>(step(x))(0, 0);
}

struct Model {
  Float32<"n k"> weight;
  Float32<"k"> bias;
};

/// Saves a model and loads it again.
Model reloaded(Model const& model) {
  save("model.safetensors", model, {{"note", "saved"}});
  return load<Model>("model.safetensors");
}

int main() {
  print_graph(reloaded({ones<Float32<"n k">>(3, 4), ones<Float32<"k">>(4)}).weight + 1.0f);
  return static_cast<int>(visit_device(default_device<DeviceList<Mps, Cpu>>(),
                                       [](auto device) { return computed(device); }));
}
