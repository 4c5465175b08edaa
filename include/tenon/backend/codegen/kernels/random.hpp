#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/op/philox.hpp>

/// Random words generated on the device.
namespace tenon::internal::codegen {

/// The kernel that fills memory with the words of a Philox stream, one block per row. Its
/// arguments: the memory, and, as numbers, the count of words, the stream, the two words of the
/// key, and the number of blocks.
Kernel draw_kernel(Functions& functions);

/// Its launch arguments.
inline std::vector<LaunchArgument> draw_arguments(op::PhiloxKey key, std::uint32_t stream,
                                                  std::uint32_t const* to, std::int64_t words) {
  std::vector<LaunchArgument> all{{to, 0, {}}};
  for (std::int64_t const number :
       {words, std::int64_t{stream}, std::int64_t{key[0]}, std::int64_t{key[1]}, (words + 3) / 4})
    all.push_back(LaunchArgument::of(number));
  return all;
}

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/kernels/random.ipp>
#endif
