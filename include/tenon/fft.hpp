#pragma once

// Fourier transforms, in namespace tenon::fft: fft ifft fft2 ifft2 fftn ifftn rfft irfft rfftn
// irfftn hfft ihfft stft istft fftshift ifftshift fftfreq rfftfreq convolve hann hamming blackman.

#include <tenon/complex.hpp>
#include <tenon/numeric/fft.hpp>
#include <tenon/numeric/real_fft.hpp>
#include <tenon/numeric/signal.hpp>
#include <tenon/numeric/stft.hpp>
#include <tenon/tenon.hpp>
