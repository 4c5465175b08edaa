#pragma once

#include <tenon/op/elementary.hpp>

/// exp of float where the machine looks sixteen numbers up at once and scales by any power of two.
namespace tenon::op {

/// 2^(k/16).
struct SixteenthPowers {
  static constexpr float numbers[16] = {
      0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
      0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
      0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
      0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
};

/// With x = n ln 2 + r, where n is a multiple of 1/16, it is 2^n (1 + r + ...), with an error up to
/// 0.98 of the last bit: the cubic is within 2^-30, most is lost in rounding the table and the
/// result. Half the time of the polynomial over the 16 times larger range. The sum with `shift` has
/// sixteen times n in its lowest bits; where it leaves its binade the result is zero, infinity or
/// NaN, whatever r.
template <class V>
[[gnu::always_inline]] constexpr V exponential_by_table(V x) {
  V const shift = V(0x1.8p19f), half = V(0.500022f), sixth = V(0.1666653f);
  V const shifted = fma(x, V(1.44269504f), shift), n = shifted - shift;
  auto const place = bits(shifted);
  V const near = fma(n, V(-0x1.62ep-1f), x);                   // exact: 12 bits
  auto const within = place < decltype(bits(x))(0x49800000u);  // bits of 2^20
  V const r = fma_or_zero(within, n, V(-0x1.0bfbe8p-15f), near);
  V const power = looked_up<SixteenthPowers>(place);
  return scale_by_floor(fma(power, fma(fma(r, sixth, half), r * r, r), power), n);
}

}  // namespace tenon::op
