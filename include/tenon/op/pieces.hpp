#pragma once

#include <array>
#include <utility>

#include <tenon/op/elementary.hpp>
#include <tenon/op/piece_tables.hpp>

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
