// Structs of DLPack of another header, where one is installed; else of one that is like it.
#include <doctest/doctest.h>

#include <cstdint>

#include "dlpack_structs.hpp"

#include <tenon/tenon.hpp>

namespace io_dlpack_structs {
namespace {

using namespace tenon;

#if defined(DLPACK_DLPACK_H_)
using Managed = ::DLManagedTensor;
#else
enum DeviceType : std::int32_t { on_cpu = 1 };
struct Managed {
  struct {
    void* data;
    struct {
      DeviceType device_type;
      std::int32_t device_id;
    } device;
    std::int32_t ndim;
    dlpack::DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
  } dl_tensor;
  void* manager_ctx;
  void (*deleter)(Managed* self);
};
#endif

TEST_CASE("a struct of another header is written and read") {
  auto x = iota<Float32<"row column">>(20, 10);
  float const* const place = std::as_const(x).data();
  Managed* const given = to_dlpack<Managed>(std::move(x));
  CHECK(given->dl_tensor.data == place);
  auto const back = from_dlpack<Float32<"row column=10">>(given);
  CHECK(back.data() == place);
  CHECK(back(19, 9) == 199);
}

}  // namespace
}  // namespace io_dlpack_structs
