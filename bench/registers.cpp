// The registers of the CPU by intrinsics, and by xsimd in their place (TENON_SIMD=xsimd), for SSE2,
// AVX2 and AVX-512. Six libraries of one source; the instructions that this machine lacks are
// omitted. One thread.
#include "peers/registers.hpp"

#include <string>

#include "compare.hpp"

namespace {

struct Level {
  char const* name;
  bool runs;
  void (*intrinsics)(Work);
  void (*xsimd)(Work);
};

constexpr std::pair<char const*, Work> works[]{{"relu(a * b + a)", Work::relu},
                                               {"exp(-square(a))", Work::exp},
                                               {"gelu(a)", Work::gelu},
                                               {"sin(a)", Work::sin},
                                               {"to<float>(halves) * 2", Work::halves},
                                               {"softmax of 512 x 1024", Work::softmax},
                                               {"matmul of 512 x 512", Work::matmul}};

void compare(Level const& level) {
  for (auto const& [name, work] : works) {
    auto const ours = [&] { level.intrinsics(work); };
    auto const peer = [&] { level.xsimd(work); };
    std::string const line = std::string(level.name) + ": " + name;
    bench::line(line.c_str(), "xsimd", bench::speedup(ours, peer), 0);
  }
}

}  // namespace

int main() {
  bench::header();
  Level const levels[]{
      {"SSE2", true, registers_sse2, registers_sse2_xsimd},
      {"AVX2", __builtin_cpu_supports("avx2") != 0, registers_avx2, registers_avx2_xsimd},
      {"AVX-512", __builtin_cpu_supports("avx512bw") != 0, registers_avx512,
       registers_avx512_xsimd}};
  for (auto const& level : levels)
    if (level.runs) compare(level);
}
