#pragma once

/// The coefficients of the elementary functions. Minimax polynomials (Remez, 60 digits; lowest
/// power first), with the relative error of the function.
namespace tenon::op {

template <class T>
struct Coefficients;

template <>
struct Coefficients<float> {
  static constexpr float ln2_high = 0x1.63p-1f;  // 9 bits: n * ln2_high is exact
  static constexpr float ln2_low = -2.12194440e-4f;
  static constexpr float exp_underflow = -104.0f, exp_overflow = 89.0f;

  // (exp(x) - 1 - x) / x^2 for |x| < 0.39; 2^-33
  static constexpr float exp[] = {0.5f,           0.166666672f,   0.0416660607f,
                                  0.00833322573f, 0.00139598211f, 0.000199375019f};
  // (log(m) / s - 2) / z with s = (m - 1) / (m + 1), z = s^2, for m within sqrt 2 of 1; 2^-36
  static constexpr float log[] = {0.666666627f, 0.400003374f, 0.285372406f, 0.235835165f};
  // 2/3 in two parts, 2/5, and the remaining terms of the same quotient, in z; 2^-39
  static constexpr float two_thirds = 0.666666687f, two_thirds_low = -1.98682149e-8f;
  static constexpr float two_fifths = 0.4f;
  static constexpr float log_rest[] = {0.285714413f, 0.222144387f, 0.188811663f};
  // erf(x) / x - 1 in x^2, for |x| < 0.95; 2^-30
  static constexpr float erf[] = {0.128379166f,   -0.376126319f,    0.112836637f,   -0.0268577058f,
                                  0.00519695226f, -0.000809770252f, 8.18508925e-05f};
  // -log(1 - erf(x)) for 0.85 < x < 4, where erf is 1; erf to 2^-28
  static constexpr float erf_end = 4.0f;
  static constexpr float erf_far[] = {0.000114672846f, 1.12801564f,    0.636601269f,
                                      0.104448415f,    -0.0224791784f, 0.00310723577f,
                                      -0.000202533774f};
  // exp(a^2 / 2) Phi(-a) (a + k) in (a - k) / (a + k), for 0 <= a < 15.5, where it underflows;
  // 2^-29
  static constexpr float tail_middle = 4.0f, tail_end = 15.5f;
  static constexpr float tail[] = {0.755285144f,     -0.607896626f,  0.387137264f,
                                   -0.186521634f,    0.0603987351f,  -0.00754192518f,
                                   -0.00349381869f,  0.00163222582f, 0.000173166845f,
                                   -0.000214205924f, -4.2672822e-05f};
};

template <>
struct Coefficients<double> {
  static constexpr double ln2_high = 6.93147180369123816490e-01;  // 33 bits: n * ln2_high is exact
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr double exp_underflow = -746.0, exp_overflow = 710.0;

  // as above; 2^-61, 2^-65, 2^-68, 2^-68, 2^-64, 2^-64, 2^-58
  static constexpr double exp[] = {0.5,
                                   0.16666666666666716,
                                   0.041666666666666831,
                                   0.0083333333332943661,
                                   0.0013888888888818089,
                                   0.0001984126994789939,
                                   2.4801587438654654e-05,
                                   2.7557187878339884e-06,
                                   2.7557187005823201e-07,
                                   2.5126960783137703e-08,
                                   2.0939124079155752e-09};
  static constexpr double log[] = {0.66666666666666663, 0.40000000000006286, 0.28571428569073748,
                                   0.22222222648656792, 0.1818177551469794,  0.15387097423349136,
                                   0.13249966427064344, 0.13252720023180733};
  static constexpr double two_thirds = 0.66666666666666663, two_thirds_low = 3.7007434154171885e-17;
  static constexpr double two_fifths = 0.4;
  static constexpr double log_rest[] = {
      0.28571428571428596, 0.22222222222140714, 0.18181818226058059, 0.15384606392737313,
      0.13334201781323561, 0.1172182089259337,  0.11566250389739272};
  // (sin(r) / r - 1) / z and (cos(r) - 1 + z / 2) / z^2 with z = r^2, |r| < pi/4; for float too
  static constexpr double sin[] = {-0.16666666666666666,    0.0083333333333333211,
                                   -0.00019841269841253619, 2.755731921342744e-06,
                                   -2.5052104710334735e-08, 1.6058340707847014e-10,
                                   -7.5774007097662481e-13};
  static constexpr double cos[] = {0.041666666666666595,   -0.0013888888888872722,
                                   2.4801587288557678e-05, -2.7557314073073472e-07,
                                   2.0875683866322108e-09, -1.1357541007357714e-11};
  // (sin(r) / r - 1) / z for |r| < pi/2 + 10^-4, for float alone; 2^-35
  static constexpr double half_turn[] = {-0.16666666626123058, 0.008333331107442238,
                                         -0.00019840868053610845, 2.7525376193675104e-6,
                                         -2.3888760826912876e-8};
  static constexpr double erf[] = {
      0.12837916709551259,     -0.37612638903183748,   0.11283791670955036,
      -0.026866170645109579,   0.0052239776251698511,  -0.00085483270030416387,
      0.00012055331997875608,  -1.49256184944463e-05,  1.6461405803167755e-06,
      -1.6354976504796298e-07, 1.4693758831733715e-08, -1.1514930030170845e-09,
      6.2167999884933179e-11};
  static constexpr double tail_middle = 5.0, tail_end = 39.0;
  static constexpr double tail[] = {
      0.76919304975006297,     -0.66538250289005685,    0.49530561596997608,
      -0.31353315667128784,    0.16502036617040691,     -0.069118638706865229,
      0.020795066799270262,    -0.0029933767620676068,  -0.00079786938947325832,
      0.00054489899443922502,  -5.9375805647185215e-05, -4.9762464642334545e-05,
      1.6681629795982731e-05,  3.9798311888367615e-06,  -2.7706855830307523e-06,
      -3.3462324263493327e-07, 4.3621493204687698e-07,  4.0228836040824093e-08,
      -7.0036703421189438e-08, -8.5733265931673144e-09, 1.0717419929725859e-08,
      2.2079942621854938e-09,  -1.1350192592557073e-09, -3.7153128297410062e-10};
};

}  // namespace tenon::op
