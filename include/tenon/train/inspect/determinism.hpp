#pragma once

#include <string>
#include <string_view>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/config.hpp>
#include <tenon/tensor/device.hpp>

namespace tenon::training {

/// What the bits of results depend on in this build: programs of which these are equal, the number
/// of threads apart, compute the same bits.
struct DeterminismReport {
  std::string device;
  std::string instruction_set;  ///< Of the build: "avx512bw", "fma3+avx2".
  bool fused_multiply_add = false;
  bool bfloat16_products = false;  ///< Products of bfloat16 use the instructions of the machine.
  int version = TENON_VERSION;
  int threads = 1;  ///< Changes no bit.

  std::string text() const {
    auto const line = [](std::string_view name, std::string const& value) {
      return "  " + std::string(name) + std::string(20 - name.size(), ' ') + value + "\n";
    };
    auto const yes = [](bool is) { return std::string(is ? "yes" : "no"); };
    return "results depend on\n" + line("device", device) +
           line("instruction set", instruction_set) +
           line("fused multiply-add", yes(fused_multiply_add)) +
           line("bfloat16 products", yes(bfloat16_products)) +
           line("version", std::to_string(version)) + "results do not depend on\n" +
           line("threads", std::to_string(threads)) + line("run", "any");
  }
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// Of a device of this program, by default `Cpu`. PyTorch:
/// `torch.are_deterministic_algorithms_enabled`; there is no other mode here.
template <Device D = Cpu>
tenon::training::DeterminismReport determinism_report() {
  tenon::training::DeterminismReport report;
  report.device = D::name;
  report.instruction_set = internal::instruction_set;
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
  report.fused_multiply_add = true;
#endif
#if defined(__AVX512BF16__) || defined(__AMX_BF16__)
  report.bfloat16_products = true;
#endif
  report.threads = threads();
  return report;
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::determinism_report;

}  // namespace tenon::training
