// A loop written by hand with xsimd, and the standard headers that Tenon includes.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <xsimd/xsimd.hpp>

void f(float const* a, float const* b, float* to, std::size_t n) {
  using Lanes = xsimd::batch<float>;
  for (std::size_t i = 0; i + Lanes::size <= n; i += Lanes::size) {
    auto const sum = Lanes::load_unaligned(a + i) * Lanes::load_unaligned(b + i) + Lanes(1.0f);
    xsimd::max(sum, Lanes(0.0f)).store_unaligned(to + i);
  }
}
