#pragma once

#include <tenon/backend/codegen/matmul/split_floats.hpp>
#include <tenon/core/config.hpp>

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
