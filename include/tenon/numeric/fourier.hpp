#pragma once

#include <complex>
#include <cstdint>

#include <tenon/core/config.hpp>

/// Discrete Fourier transforms of the lines of an array: the runtime of tenon/fft.hpp.
namespace tenon::internal::fourier {

/// The lines of arrays along an axis: `outer` × the axis × `inner`, contiguous. Where a line has
/// more numbers than the transform, the others are left out; missing ones are 0.
struct Lines {
  std::int64_t outer, inner;
  std::int64_t n;           ///< The length of the transform, that of a real line.
  std::int64_t read, kept;  ///< The numbers of a line of the operand, and of the result.
  double scale;             ///< Multiplies the result.
  bool inverse = false;     ///< exp(+2 pi i jk / n) instead of exp(-2 pi i jk / n).
};

/// From n complex numbers of a line to n.
void transform(Lines const& lines, std::complex<float> const* from, std::complex<float>* to);
void transform(Lines const& lines, std::complex<double> const* from, std::complex<double>* to);

/// From n real numbers to the first n / 2 + 1 of their transform; the others are conjugates.
void transform(Lines const& lines, float const* from, std::complex<float>* to);
void transform(Lines const& lines, double const* from, std::complex<double>* to);

/// From the first n / 2 + 1 numbers of a line whose others are conjugates to n real numbers. The
/// imaginary parts of the first one, and of the last one for an even n, count as 0.
void transform(Lines const& lines, std::complex<float> const* from, float* to);
void transform(Lines const& lines, std::complex<double> const* from, double* to);

}  // namespace tenon::internal::fourier

#if TENON_DEFINES_RUNTIME

#include <tenon/numeric/fourier.plan.ipp>

#include <tenon/numeric/fourier.ipp>

#endif
