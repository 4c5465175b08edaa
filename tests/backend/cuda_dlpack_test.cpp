// Tensors of CUDA by DLPack: its addresses are shared, and kernels read them. On a real device if
// there is one, otherwise on the fake of `shim/`.

#include <doctest/doctest.h>

#include <utility>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>
#include <tenon/io/dlpack.hpp>

#include "shim/cuda_device.hpp"

namespace cuda_dlpack_test {

using namespace tenon;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

using Vector = Float32<"n", Cuda>;

}  // namespace

TEST_CASE("a tensor of CUDA has its address in DLPack, and a view of it is read by kernels") {
  if (!has_device()) return;
  auto x = to<Cuda>(eval(iota<Float32<"n">>(100)));
  float const* const place = x.data();
  auto* const given = to_dlpack(std::move(x));
  CHECK(given->dl_tensor.device.device_type == 2);
  CHECK(given->dl_tensor.device.device_id == 0);
  CHECK(given->dl_tensor.data == place);
  CHECK(given->flags == 0);
  auto const y = from_dlpack<Vector>(given);
  CHECK(y.data() == place);
  CHECK(to<Cpu>(eval(2 * y))(99) == 198);
}

TEST_CASE("a shared tensor of CUDA is read-only, and copied for the struct without flags") {
  if (!has_device()) return;
  auto const x = to<Cuda>(eval(iota<Float32<"n">>(100)));
  auto* const shared = to_dlpack(x);
  CHECK(shared->flags == 1);
  CHECK_THROWS_AS(mutable_from_dlpack<Vector>(shared), ValueError);
  auto const copy = mutable_from_dlpack<Vector>(to_dlpack<dlpack::DLManagedTensor>(x));
  CHECK(copy.data() != x.data());
  assign(copy, 3 * copy);
  CHECK(to<Cpu>(eval(copy + x))(10) == 40);
}

TEST_CASE("memory of the host or of another device is none of CUDA") {
  auto* const on_host = to_dlpack(iota<Float32<"n">>(100));
  CHECK_THROWS_WITH_AS(from_dlpack<Vector>(on_host),
                       "tenon::from_dlpack: 'n': expected memory of cuda, got cpu:0", ValueError);
  auto* const second = to_dlpack(iota<Float32<"n">>(100));
  second->dl_tensor.device = {2, 1};
  CHECK_THROWS_WITH_AS(from_dlpack<Vector>(second),
                       "tenon::from_dlpack: 'n': expected memory of cuda, got cuda:1", ValueError);
}

}  // namespace cuda_dlpack_test
