#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/launch/compiler.hpp>
#include <tenon/eval/backend.hpp>

/// Floats split into three bfloat16 parts whose sum is exact, as `SplitFloat` on the CPU: a matmul
/// of the parts does not round its operands.
namespace tenon::internal::codegen {

inline constexpr int split_parts = 3;

/// The kernel. Its arguments: the floats, the three parts in sequence, and the number of floats.
Kernel split_kernel(Functions& functions);

/// The parts of `size` floats on a device.
template <class D>
SharedBuffer split(float const* from, std::int64_t size) {
  static typename D::Function const function = [] {
    Functions functions(BackendOf<D>::dialect::text, true, false);
    Kernel const kernel = split_kernel(functions);
    std::string text(functions.dialect().prelude);
    return Compiled<D>::function(kernel.name, text.append(functions.text()).append(kernel.text));
  }();
  SharedBuffer parts = DeviceBlocks<D>::instance().take(
      static_cast<std::size_t>(split_parts * size) * sizeof(bfloat16));
  Work work;
  work.rows = size;
  D::launch(function, {{from, 0, {}}, {parts.data(), 0, {}}, LaunchArgument::of(size)}, work);
  return parts;
}

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/matmul/split_floats.ipp>
#endif
