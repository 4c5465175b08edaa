#pragma once

#include <array>
#include <utility>

#include <tenon/op/elementary.hpp>

/// Piecewise polynomials for functions of float, with sixteen pieces.
namespace tenon::op {

/// Piece k of f(a) is t0 + r (t1 + r (t2 + ...)) with r = a - c, where a + `shift` has k in the
/// bits from `bit` on: so pieces are short where the curvature is large. Each c is a float near the
/// middle whose f(c) = t0 is nearly a float too (after Gal), found by a search among thousands; the
/// rest is a weighted least squares fit at the Chebyshev points, its weights moved towards the
/// worst (after Lawson), one term after the other rounded to float and the later ones fitted again.
/// In the first piece c and t0 are zero; with `beside_argument` it is f(a) - a. From `end` on the
/// result is f(end).

/// Within 2^-24.4, most pieces within 2^-27.
struct TanhPieces {
  static constexpr float shift = 0.625f, end = 9.25f;
  static constexpr int bit = 21;
  static constexpr bool beside_argument = true;
  alignas(64) static constexpr float centers[16] = {
      1.62527895f,  2.1244576f,   2.6251359f,  3.12478685f, 3.87593913f,  4.87447119f,
      5.87636137f,  6.87309265f,  8.33368492f, 0.0f,        0.187471583f, 0.312523425f,
      0.499970794f, 0.750143766f, 1.0001992f,  1.24971187f};
  alignas(64) static constexpr float terms[6][16] = {
      {0.92538631f, 0.971842647f, 0.989562571f, 0.996144891f, 0.999140501f, 0.999883294f,
       0.999984264f, 0.999997854f, 0.999999881f, 0.0f, 0.185305759f, 0.302731007f, 0.462094188f,
       0.635234714f, 0.761677802f, 0.848202825f},
      {0.143660054f, 0.0555218607f, 0.020765923f, 0.00769535918f, 0.00171831029f, 0.000233404557f,
       3.14720201e-05f, 4.28711201e-06f, 2.30919454e-07f, 0.0f, 0.965661764f, 0.908353925f,
       0.786469042f, 0.596476853f, 0.419846922f, 0.28055197f},
      {-0.132948175f, -0.053957615f, -0.0205481052f, -0.00766518107f, -0.00171473355f,
       -0.00023308552f, -3.14318277e-05f, -4.21252616e-06f, -1.94834428e-07f, 3.11271236e-07f,
       -0.178942502f, -0.274986625f, -0.363417566f, -0.378902763f, -0.319790065f, -0.237966523f},
      {0.075149253f, 0.0339331925f, 0.0134121999f, 0.00507071614f, 0.00114104024f, 0.000155351008f,
       2.09495392e-05f, 2.85561259e-06f, 1.52565022e-07f, -0.333355606f, -0.288722485f,
       -0.219530687f, -0.0942450389f, 0.0418643057f, 0.103627615f, 0.108325936f},
      {-0.0248542633f, -0.0150379008f, -0.00647839718f, -0.00252256729f, -0.000595656398f,
       -8.1403894e-05f, -1.09856701e-05f, -1.77077436e-06f, -1.25414545e-07f, 0.000472361717f,
       0.112887673f, 0.157786757f, 0.163594708f, 0.0996875912f, 0.0280757211f, -0.012233099f},
      {0.00110402657f, 0.00445318362f, 0.00236010319f, 0.0009760416f, 0.000236690597f,
       3.24720131e-05f, 4.40280337e-06f, 5.99083251e-07f, 3.53932599e-08f, 0.12998797f,
       0.0960029066f, 0.0445905291f, -0.0254931375f, -0.0635266453f, -0.0463096015f,
       -0.0193416066f}};
};

/// Within 2^-26.
struct ErfPieces {
  static constexpr float shift = 1.375f, end = 4.0f;
  static constexpr int bit = 20;
  static constexpr bool beside_argument = true;
  alignas(64) static constexpr float centers[16] = {
      0.750109434f, 0.999800563f, 1.24963355f,  1.49984682f, 1.75008726f, 1.99986267f,
      2.24989414f,  2.49960423f,  2.87415409f,  3.37595344f, 3.86154628f, 0.0f,
      0.187440544f, 0.312587947f, 0.437530786f, 0.56251049f};
  alignas(64) static constexpr float terms[6][16] = {
      {0.711225986f, 0.842617989f, 0.922813416f, 0.966086924f, 0.986676276f, 0.995319426f,
       0.998536527f, 0.999592185f, 0.999951899f, 0.999998212f, 0.99999994f, 0.0f, 0.209052905f,
       0.341558635f, 0.463926822f, 0.573683083f},
      {0.642825544f, 0.4152731f, 0.236737877f, 0.118984953f, 0.0527588762f, 0.0206783395f,
       0.00714572147f, 0.00218259869f, 0.000291657983f, 1.26698969e-05f, 3.7699121e-07f,
       0.128379166f, 1.08942306f, 1.02333915f, 0.931787074f, 0.82231164f},
      {-0.482186764f, -0.415190697f, -0.29583779f, -0.178461224f, -0.092333585f, -0.0413538888f,
       -0.0160768144f, -0.00545534026f, -0.000836286927f, -4.43343633e-05f, 2.55175394e-07f,
       3.11337374e-07f, -0.204202116f, -0.319883555f, -0.40768522f, -0.462558836f},
      {0.0268477704f, 0.138309851f, 0.167543203f, 0.138780206f, 0.090142183f, 0.0482426658f,
       0.0217328724f, 0.00836372282f, 0.00150706561f, 9.17382058e-05f, 3.55471093e-06f,
       -0.376142591f, -0.337602884f, -0.274405867f, -0.191678673f, -0.100631632f},
      {0.15008086f, 0.0693484843f, -0.00561356684f, -0.0441683382f, -0.0479043312f, -0.0344437174f,
       -0.0191518497f, -0.00869522244f, -0.00198922679f, -0.000125847786f, -3.69251902e-05f,
       0.000293440622f, 0.0996258408f, 0.149403244f, 0.177556738f, 0.182302251f},
      {-0.0525558703f, -0.0687350854f, -0.0470824279f, -0.0150063476f, 0.00644001784f,
       0.0129915122f, 0.0106358528f, 0.00613267766f, 0.00177651714f, 0.000175228502f,
       1.1675892e-05f, 0.110955223f, 0.0903692245f, 0.0555802919f, 0.0263818242f, -0.0122593651f}};
};

/// a exp(a^2 / 2) Phi(-a), with the normal distribution Phi; within 2^-23.5.
struct TailPieces {
  static constexpr float shift = 1.25f, end = 15.5f;
  static constexpr int bit = 21;
  static constexpr bool beside_argument = false;
  alignas(64) static constexpr float centers[16] = {
      1.00007558f, 1.50013125f, 1.99986553f,  2.49967647f, 3.24970961f, 4.24968338f,
      5.24967861f, 6.25021172f, 7.75069332f,  9.75022316f, 11.7500849f, 13.7514048f,
      15.1261358f, 0.0f,        0.374960184f, 0.625069201f};
  alignas(64) static constexpr float terms[6][16] = {
      {0.261587679f, 0.308680236f, 0.33619827f, 0.353319496f, 0.36871478f, 0.3797746f, 0.385811746f,
       0.389428645f, 0.392608196f, 0.394871771f, 0.396113366f, 0.396865219f, 0.397221029f, 0.0f,
       0.142340377f, 0.202111468f},
      {0.124202989f, 0.0703639239f, 0.0426308587f, 0.0273038913f, 0.0152302571f, 0.00790881831f,
       0.00456136651f, 0.00284423982f, 0.00156104378f, 0.000810370431f, 0.000471546809f,
       0.000297463441f, 0.000224689895f, 0.49999997f, 0.283399165f, 0.200309679f},
      {-0.0752447918f, -0.0374832936f, -0.0201155841f, -0.0114971679f, -0.00547979167f,
       -0.00236252369f, -0.00115763454f, -0.000625070068f, -0.000284453243f, -0.000119854143f,
       -5.85548623e-05f, -3.17906088e-05f, -2.19064605e-05f, -0.398934692f, -0.203469187f,
       -0.134226605f},
      {0.0370111354f, 0.0164365303f, 0.00790525693f, 0.00407193229f, 0.00167787808f,
       0.000607413356f, 0.000254840445f, 0.000119807861f, 4.54534165e-05f, 1.56129863e-05f,
       6.42085615e-06f, 3.00521879e-06f, 1.89081152e-06f, 0.249745831f, 0.116263613f,
       0.0721853897f},
      {-0.0160163678f, -0.0063923439f, -0.00277539855f, -0.00129660126f, -0.000473365973f,
       -0.000144408026f, -5.20240101e-05f, -2.13416079e-05f, -6.90538991e-06f, -1.92437369e-06f,
       -6.64402876e-07f, -2.67770304e-07f, -1.53679792e-07f, -0.13003394f, -0.0571373664f,
       -0.0335726999f},
      {0.00620989269f, 0.00224455353f, 0.000885174901f, 0.000377657096f, 0.000121773337f,
       3.16779006e-05f, 9.8931514e-06f, 3.56599753e-06f, 9.76428169e-07f, 2.22913016e-07f,
       6.50082086e-08f, 2.2640382e-08f, 1.13155894e-08f, 0.0482579283f, 0.0251100454f,
       0.0140057569f}};
};

}  // namespace tenon::op

/// Functions of float by piecewise polynomials, on machines with a 16-entry table lookup: no
/// division, and no second formula for small arguments. (Zen 4 overlaps a lookup in one register
/// with the arithmetic on another; for 32-entry tables it does not.)
namespace tenon::op {

template <class Pieces, class V, class Place, std::size_t... I>
TENON_INLINE constexpr V piece(Place place, V r, std::index_sequence<I...>) {
  constexpr std::size_t last = sizeof...(I) + 1;
  V y = looked_up(place, Pieces::terms[last]);
  ((y = fma(y, r, looked_up(place, Pieces::terms[last - 1 - I]))), ...);
  V const at_center = looked_up(place, Pieces::terms[0]);
  if constexpr (Pieces::beside_argument) return fma(y, r, at_least(r, at_center));  // see below
  else return fma(y, r, at_center);
}

/// The polynomial of the piece that contains a, which is from zero to `end`. (In the first piece t0
/// is zero and r is a; elsewhere t0 is above r.)
template <class Pieces, class V>
TENON_INLINE constexpr V piece(V a) {
  auto const place = bits(a + V(Pieces::shift)) >> Pieces::bit;
  V const r = a - looked_up(place, Pieces::centers);
  return piece<Pieces>(place, r, std::make_index_sequence<std::size(Pieces::terms) - 2>{});
}

template <class Pieces, class V>
TENON_INLINE constexpr V odd_by_pieces(V x) {
  return copysign(piece<Pieces>(at_most(abs(x), V(Pieces::end))), x);
}

}  // namespace tenon::op
