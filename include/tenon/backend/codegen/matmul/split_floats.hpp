#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/launch/compiler.hpp>
#include <tenon/core/config.hpp>
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

namespace tenon::internal::codegen {

/// Emits the stores of the parts of a row's float.
TENON_RUNTIME void emit_parts(Walk& walk, std::string const& size, int block) {
  Listing& listing = walk.listing;
  Symbol<float> x(listing, listing.value("f32", "adjoint[row]", {walk.rows.row}));
  for (int part = 0; part < split_parts; ++part) {
    Bits32 const all = bits(x) | select(x != x, Bits32(0x400000u), Bits32(0u));
    std::string const at = std::to_string(part) + " * " + size + " + row";
    auto const upper = cast<std::uint16_t>(all >> 16);
    listing.line(block, "product[" + at + "] = " + upper.text() + ";");
    auto const is_finite = (all & Bits32(0x7f800000u)) != Bits32(0x7f800000u);
    Symbol<float> const rest = x - from_bits(all & Bits32(0xffff0000u));
    x = select(is_finite, rest, Symbol<float>(0.0f));
  }
}

TENON_RUNTIME Kernel split_kernel(Functions& functions) {
  Walk walk(functions);
  Quantity const size = walk.variables.fresh("size", 1);
  Loops loops(walk.listing, 0);
  (void)open_rows(walk, {size}, 1, 0, loops);
  emit_parts(walk, walk.variables.text(size), loops.block());
  loops.close();
  Kernel kernel{"split", {}, type_text<float>, 0, sizeof(float)};
  kernel.product_type = type_text<std::uint16_t>;
  return with_text(std::move(kernel), walk, "// product: three parts of each float\n",
                   {{Argument::Is::adjoint}, {Argument::Is::product}});
}

}  // namespace tenon::internal::codegen

#endif
