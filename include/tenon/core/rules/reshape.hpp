#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/parse.hpp>
#include <tenon/core/language/pattern.hpp>
#include <tenon/core/rules/align.hpp>
#include <tenon/core/rules/broadcast.hpp>

/// The same elements, in row-major order, under other axes.
namespace tenon::internal {

/// The shape of a spec for the elements of another, or the reason why there is none.
struct Reshaping {
  Shape shape{};
  AxisMap from = no_axes();  ///< The axis of the operand from which an axis takes its size; -1:
                             ///< none.
  AxisMap open = no_axes();  ///< The axes whose size neither the spec nor the operand determines.
  int open_axes = 0;
  FixedText mistake{};

  constexpr bool fits() const { return mistake.empty(); }
  constexpr int rest() const { return open_axes == 1 ? open[0] : -1; }
  constexpr bool takes(int operand_axis) const { return position_of(from, operand_axis) >= 0; }

  constexpr void refuse(FixedText const& why) {
    if (fits()) mistake = why;
  }
};

/// The axis of a shape with this name, if it is the only one; else -1.
constexpr int only_axis(Shape const& shape, FixedText const& name) {
  int found = -1;
  for (int i = 0; i < shape.rank; ++i) {
    if (name.empty() || !(shape[i].name == name)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/// A product of sizes, as far as they are static.
struct ElementsAtOnce {
  std::int64_t number = 1;
  bool known = true;

  constexpr void add(Axis const& axis) {
    if (!axis.is_static()) known = false;
    else if (__builtin_mul_overflow(number, axis.size, &number)) known = false;
  }
};

/// Axes without a size take that of the operand's axis of the same name.
constexpr void take_sizes(Reshaping& result, Shape const& operand) {
  for (int i = 0; i < result.shape.rank; ++i) {
    Axis& axis = result.shape[i];
    if (axis.is_static()) continue;
    int const same = only_axis(operand, axis.name);
    if (same < 0 || result.takes(same)) {
      result.open[static_cast<std::size_t>(result.open_axes++)] = static_cast<std::int8_t>(i);
    } else if (sizes_agree(axis, operand[same])) {
      result.from[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(same);
      if (axis.is_bare() || operand[same].is_static()) axis = merge(axis, operand[same]);
    } else {
      result.refuse(mistake_text({axis.name.view(), ": its size is outside its bounds"}));
    }
  }
}

/// Infers the size of the open axis where it is static; checks the numbers of elements as far as
/// possible.
constexpr void share_out(Reshaping& result, Shape const& operand) {
  ElementsAtOnce left{}, given{};
  for (int i = 0; i < operand.rank; ++i) {
    if (!result.takes(i)) left.add(operand[i]);
  }
  for (int i = 0; i < result.shape.rank; ++i) {
    if (result.from[static_cast<std::size_t>(i)] < 0 && i != result.rest())
      given.add(result.shape[i]);
  }
  if (!left.known || !given.known) return;
  bool const divides = given.number != 0 && left.number % given.number == 0;
  if (result.open_axes == 0 && left.number != given.number)
    result.refuse("another number of elements");
  if (result.open_axes == 1 && !divides) result.refuse("the elements are not a multiple");
  if (result.open_axes == 1 && divides)
    result.shape[result.rest()].size = left.number / given.number;
}

/// The axes of a spec for the elements of `operand`. One axis may be open and is inferred; several
/// may where the caller gives their sizes, `sizes_given` of them.
constexpr Reshaping reshaping(std::string_view spec, Shape const& operand, int sizes_given) {
  Reshaping result{};
  Parsed const parsed = parse(spec);
  if (!parsed.ok()) result.refuse(mistake_text({parsed.culprit, ": ", parsed.mistake}));
  if (!result.fits()) return result;
  for (Axis const& axis : parsed.shape) result.shape[result.shape.rank++] = axis;
  take_sizes(result, operand);
  bool const asks = sizes_given == 0 && result.open_axes > 1;
  if (asks) result.refuse("more than one axis is open");
  if (sizes_given > 0 && sizes_given != result.open_axes)
    result.refuse("another number of open axes");
  if (result.fits() && sizes_given == 0) share_out(result, operand);
  ResolvedAxes const resolved_axes = resolve(result.shape);
  if (!resolved_axes.mistake.empty()) result.refuse(resolved_axes.mistake);
  result.shape = resolved_axes.shape;
  return result;
}

}  // namespace tenon::internal
