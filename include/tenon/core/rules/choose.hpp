#pragma once

#include <array>
#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

enum class AxisSearch { ok, not_found, ambiguous, out_of_range };

/// The axes that an operation reduces or indexes, or the word that names none.
struct AxisChoice {
  std::array<bool, max_rank> has{};
  int count = 0;
  AxisSearch result = AxisSearch::ok;
  FixedText culprit{};

  constexpr bool operator[](int i) const { return has[static_cast<std::size_t>(i)]; }
  /// The first chosen axis.
  constexpr int axis() const {
    for (int i = 0; i < max_rank; ++i) {
      if ((*this)[i]) return i;
    }
    return -1;
  }
};

constexpr AxisChoice refused_choice(AxisSearch why, std::string_view culprit) {
  AxisChoice choice{};
  choice.result = why;
  choice.culprit = FixedText(culprit.substr(0, FixedText::capacity));
  return choice;
}

constexpr AxisChoice every_axis(Shape const& shape) {
  AxisChoice choice{};
  for (int i = 0; i < max_rank; ++i) choice.has[static_cast<std::size_t>(i)] = i < shape.rank;
  choice.count = shape.rank;
  return choice;
}

/// Chooses axes by name: "height width"; "" chooses all.
constexpr AxisChoice choose_axes(Shape const& shape, std::string_view names) {
  AxisChoice choice{};
  for (auto name = next_word(names); !name.empty(); name = next_word(names)) {
    int found = -1;
    for (int i = 0; i < shape.rank; ++i) {
      if (shape[i].name.view() != name) continue;
      if (found >= 0) return refused_choice(AxisSearch::ambiguous, name);
      found = i;
    }
    if (found < 0) return refused_choice(AxisSearch::not_found, name);
    if (choice[found]) return refused_choice(AxisSearch::ambiguous, name);
    choice.has[static_cast<std::size_t>(found)] = true;
    ++choice.count;
  }
  return choice.count == 0 ? every_axis(shape) : choice;
}

/// Chooses an axis by index; -1 is the last.
constexpr AxisChoice choose_axis(Shape const& shape, int index) {
  int const axis = index < 0 ? index + shape.rank : index;
  if (axis < 0 || axis >= shape.rank) {
    TextWriter<FixedText::capacity> culprit{};
    return refused_choice(AxisSearch::out_of_range, (culprit << std::int64_t{index}).view());
  }
  AxisChoice choice{};
  choice.has[static_cast<std::size_t>(axis)] = true;
  choice.count = 1;
  return choice;
}

/// The axes that are not chosen.
constexpr AxisChoice others(Shape const& shape, AxisChoice const& chosen) {
  AxisChoice result = every_axis(shape);
  for (int i = 0; i < shape.rank; ++i)
    if (chosen[i]) result.has[static_cast<std::size_t>(i)] = false;
  result.count = shape.rank - chosen.count;
  return result;
}

/// The shape of a reduction: the chosen axes are dropped, or kept with size 1 and their names.
constexpr Shape reduced(Shape const& shape, AxisChoice const& choice, bool keep) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    if (choice[i] && !keep) continue;
    result[result.rank++] = choice[i] ? named_axis(shape[i].name.view(), 1) : shape[i];
  }
  return result;
}

}  // namespace tenon::internal
