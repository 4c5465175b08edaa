#pragma once

// The rules on shapes in terms of specs, so that an assertion fits on a line.

#include <string_view>

#include <tenon/core/format.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/choose.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/core/rules/join.hpp>

namespace rules {

using namespace tenon;
using namespace tenon::internal;
using Characters = std::string_view;

constexpr Shape shape(Characters spec) { return parse(spec).shape; }
constexpr Axis axis(Characters spec) { return parse(spec).shape[0]; }

/// The spec is valid, and has this canonical form, which is its own canonical form.
constexpr bool reads(Characters spec, Characters canonical) {
  Parsed const parsed = parse(spec);
  return parsed.ok() && format(parsed.shape).view() == canonical &&
         format(parse(canonical).shape).view() == canonical &&
         parse(canonical).shape == parsed.shape;
}

/// The spec is invalid for this reason, which the compiler prints completely.
constexpr bool refuses(Characters spec, Characters why, Characters word = "") {
  Parsed const parsed = parse(spec);
  return parsed.mistake == why && why.size() <= 36 &&
         parsed.culprit == (word.empty() ? spec : word);
}

/// The axes match in both orders, with this result.
constexpr bool merges(Characters a, Characters b, Characters result) {
  return agree(axis(a), axis(b)) && agree(axis(b), axis(a)) &&
         format(merge(axis(a), axis(b))).view() == result &&
         format(merge(axis(b), axis(a))).view() == result;
}

constexpr bool disagrees(Characters a, Characters b) {
  return !agree(axis(a), axis(b)) && !agree(axis(b), axis(a));
}

/// Two shapes broadcast, in both orders, to this one.
constexpr bool fits(Characters a, Characters b, Characters result) {
  auto const one = broadcast_shapes(shape(a), shape(b));
  auto const other = broadcast_shapes(shape(b), shape(a));
  return one.fits && other.fits && format(one.shape).view() == result && one.shape == other.shape &&
         one.maps[0] == other.maps[1] && one.maps[1] == other.maps[0];
}

constexpr bool mismatches(Characters a, Characters b) {
  return !broadcast_shapes(shape(a), shape(b)).fits && !broadcast_shapes(shape(b), shape(a)).fits;
}

/// The axes with these indices are mismatched.
constexpr bool mismatches(Characters a, Characters b, int left, int right) {
  auto const result = broadcast_shapes(shape(a), shape(b));
  return mismatches(a, b) && result.left_axis == left && result.right_axis == right &&
         result.left == 0 && result.right == 1;
}

/// The index of each axis of the two shapes in the result: "01" and "-1", a digit for each, - where
/// it broadcasts.
constexpr bool maps(Characters a, Characters b, Characters left, Characters right) {
  auto const result = broadcast_shapes(shape(a), shape(b));
  auto const goes = [](AxisMap const& map, Characters places) {
    for (std::size_t i = 0; i < max_rank; ++i) {
      char const place = i < places.size() ? places[i] : '-';
      if (map[i] != (place == '-' ? -1 : place - '0')) return false;
    }
    return true;
  };
  return result.fits && goes(result.maps[0], left) && goes(result.maps[1], right);
}

/// The shape of a reduction over the named axes.
constexpr bool reductions(Characters spec, Characters names, bool keep, Characters result) {
  AxisChoice const choice = choose_axes(shape(spec), names);
  return choice.result == AxisSearch::ok &&
         format(reduced(shape(spec), choice, keep)).view() == result;
}

constexpr bool cannot_choose(Characters spec, Characters names, AxisSearch why,
                             Characters culprit) {
  AxisChoice const choice = choose_axes(shape(spec), names);
  return choice.result == why && choice.culprit.view() == culprit;
}

constexpr bool sums(Characters a, Characters b, Characters result) {
  return format(sum_of(axis(a), axis(b))).view() == result;
}

constexpr bool grows(Characters spec, std::int64_t added, Characters result) {
  return format(plus(axis(spec), added)).view() == result;
}

/// The first axis whose run-time size does not fit a spec, -1 if all fit.
template <class... Size>
constexpr int mismatched(Characters spec, Size... size) {
  Sizes sizes{1, 1, 1, 1, 1, 1, 1, 1};
  std::size_t i = 0;
  ((sizes[i++] = size), ...);
  return mismatch_of(shape(spec), sizes);
}

}  // namespace rules
