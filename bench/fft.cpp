// Fourier transforms compared with the kissfft of Eigen, of lines in one array. One thread.
#include <tenon/fft.hpp>

#include <unsupported/Eigen/FFT>

#include "compare.hpp"

using namespace tenon;

template <class T>
void compare(char const* dtype, std::int64_t lines, std::int64_t n) {
  using Z = std::complex<T>;
  using Lines = Tensor<Z, "line time">;
  Lines const x = normal<Lines>(Key{1}, lines, n);
  std::vector<Z> y(static_cast<std::size_t>(lines * n));
  Eigen::FFT<T> peer;
  auto const ours = [&] { return fft::fft<"time">(x); };
  auto const theirs = [&] {
    for (std::int64_t i = 0; i < lines; ++i)
      peer.fwd(y.data() + i * n, x.data() + i * n, static_cast<Eigen::Index>(n));
  };
  auto const pair = bench::compared(ours, theirs);
  auto const result = ours();
  auto const parts = [](Z const* z) { return reinterpret_cast<T const*>(z); };
  char work[64];
  std::snprintf(work, sizeof work, "%s, %d lines of %d", dtype, int(lines), int(n));
  bench::line_of_elements(work, "kissfft of Eigen", lines * n, pair,
                          bench::difference(parts(result.data()), parts(y.data()), 2 * lines * n));
}

int main() {
  set_threads(1);
  bench::header_of_elements();
  for (auto const& [lines, n] :
       {std::pair{1, 1024}, {64, 1024}, {256, 256}, {100, 1000}, {20, 499}, {1, 1 << 16}}) {
    compare<float>("complex64", lines, n);
    compare<double>("complex128", lines, n);
  }
}
