#include <tenon/tenon.hpp>
#include <tenon/train/compare_devices.hpp>

using namespace tenon;

int main() {
  auto const prepare = []<class D, class T>(D, T) {
    auto const x = to<D>(ones<Tensor<T, "n=64">>());
    return [x] { return eval(x * x); };
  };
  auto const table = benchmark::compare_devices(prepare, DeviceList<Cpu, Reference>(),
                                                benchmark::DtypeList<float>(), {.runs = 2});
  return table.rows.size() == 2 ? 0 : 1;
}
