#pragma once

#include <concepts>
#include <string>

#include <tenon/backend/cpu/matmul/bf16_dot_machine.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/train/inspect/device.hpp>

namespace tenon::internal::training {

/// Whether the CPU computes matrix products of a dtype in float32, without instructions for it: a
/// 16-bit dtype then saves memory, not time. (Only products have such instructions, AMX-BF16 and
/// AVX512-BF16; other operations on 16-bit numbers are always done in float32.)
template <FloatType T>
bool is_emulated() {
  if constexpr (std::same_as<T, bfloat16>) return !simd::multiplies_pairs();
  else return HalfType<T>;
}

/// Says once in a process, on stderr or to a function of a line, that a dtype is emulated.
template <FloatType T>
void warn_if_emulated(void (*say)(std::string const& line) = say_on_stderr) {
  if (!is_emulated<T>() || say == nullptr) return;
  std::string const line = "tenon::warn_if_emulated: the CPU has no instructions for " +
                           std::string(dtype_name<T>) +
                           ", or the program is not compiled for them: products are computed in "
                           "float32, which saves memory, not time";
  if (is_said_first(line)) say(line);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::is_emulated;
using internal::training::warn_if_emulated;

}  // namespace tenon::training
