#pragma once

#include <string>

#include <tenon/backend/codegen/text/dialect.hpp>

namespace tenon::internal::metal {

/// A memory operation: fill with zeros, or copy.
enum class Store { zero, copy };

/// The kernel `store` for it, element by element. (Blit commands require offsets and sizes that are
/// multiples of four, and another kind of encoder.)
inline std::string text_of(Store store, std::string const& type) {
  bool const copies = store == Store::copy;
  return codegen::filled(R"(#include <metal_stdlib>

kernel void store(device $0* to [[buffer(0)]], $1constant long& count [[buffer($2)]],
                  uint item_place [[thread_position_in_grid]],
                  uint item_count [[threads_per_grid]]) {
  for (long i = item_place; i < count; i += item_count) to[i] = $3;
}
)",
                         {type, copies ? "device " + type + " const* from [[buffer(1)]], " : "",
                          copies ? "2" : "1", copies ? "from[i]" : "0"});
}

}  // namespace tenon::internal::metal
