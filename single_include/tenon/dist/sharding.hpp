// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tenon/tenon.hpp>

namespace tenon {

/// How a tensor lies on a mesh of ranks: its axes, and which axes of the mesh divide each of them.
/// `"batch@dp hidden=128@tp"`: batch is divided over `dp`, hidden over `tp`; `n@dp@cp` is divided
/// over `dp`, and each part over `cp`. Over all other axes of a mesh it is replicated.
struct Sharding {
  Shape shape{};                           ///< Of the whole tensor.
  std::array<FixedText, max_rank> over{};  ///< For each axis: "", "dp", "dp@cp".

  constexpr FixedText const& operator[](int axis) const {
    return over[static_cast<std::size_t>(axis)];
  }
  constexpr FixedText& operator[](int axis) { return over[static_cast<std::size_t>(axis)]; }
};

/// Calls `f(name)` for every axis of a mesh in a list as "dp@cp".
template <class F>
constexpr void for_each_mesh_axis(std::string_view list, F const& f) {
  while (!list.empty()) {
    std::size_t const end = std::min(list.find('@'), list.size());
    f(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// Does an axis of a mesh stand in a list?
constexpr bool lists(std::string_view list, std::string_view name) {
  bool found = false;
  for_each_mesh_axis(list, [&](std::string_view one) { found = found || one == name; });
  return found;
}

/// The same list with one more axis, where it is not there.
constexpr FixedText with_mesh_axis(FixedText list, std::string_view name) {
  if (lists(list.view(), name)) return list;
  if (!list.empty()) list.append("@");
  list.append(name);
  return list;
}

/// The same list as words: "dp cp".
constexpr FixedText as_words(std::string_view list) {
  FixedText words(list);
  for (char& c : words.characters) c = c == '@' ? ' ' : c;
  return words;
}

/// All axes of a mesh that divide some axis of a sharding, as a list.
constexpr FixedText divided_over(Sharding const& sharding) {
  FixedText all;
  for (int i = 0; i < sharding.shape.rank; ++i)
    for_each_mesh_axis(sharding[i].view(), [&](auto name) { all = with_mesh_axis(all, name); });
  return all;
}

/// The axis of a mesh that divides a tensor twice; "" where there is none.
constexpr FixedText divided_twice(Sharding const& sharding) {
  FixedText seen, twice;
  for (int i = 0; i < sharding.shape.rank; ++i) {
    for_each_mesh_axis(sharding[i].view(), [&](std::string_view name) {
      if (lists(seen.view(), name)) twice = FixedText(name);
      seen = with_mesh_axis(seen, name);
    });
  }
  return twice;
}

/// The first divided axis whose name another axis has too; -1 where there is none. (Its parts have
/// one name for two sizes.)
constexpr int divided_namesake(Sharding const& sharding) {
  Shape const& shape = sharding.shape;
  for (int i = 0; i < shape.rank; ++i)
    for (int k = 0; k < shape.rank; ++k)
      if (i != k && !sharding[i].empty() && !shape[i].name.empty() &&
          shape[i].name == shape[k].name)
        return i;
  return -1;
}

/// The sharding a spec stands for, or what is wrong with it.
struct ParsedSharding {
  Sharding sharding{};
  FixedText culprit{};
  FixedText mistake{};

  constexpr bool ok() const { return mistake.empty(); }
};

/// A spec without the words after @, and these for each of its words.
struct SplitSharding {
  ShapeText plain{};
  Sharding sharding{};  ///< Without a shape.
  int words = 0;
  FixedText mistake{};

  constexpr void add(std::string_view word) {
    std::size_t const at = word.find('@');
    if (words == max_rank) mistake = "more than 8 axes";
    if (!mistake.empty()) return;
    if (words > 0) plain << " ";
    plain << word.substr(0, at);
    if (at != word.npos) divide(word.substr(at + 1));
    ++words;
  }
  constexpr void divide(std::string_view list) {
    if (list.empty() || list.back() == '@') mistake = "an axis of the mesh is missing after @";
    for_each_mesh_axis(list, [&](std::string_view name) {
      if (!is_name(name)) mistake = "after @ stands the name of an axis of the mesh";
    });
    sharding[words] = FixedText(list);
  }
};

constexpr SplitSharding split_sharding(std::string_view spec) {
  SplitSharding split;
  while (!spec.empty()) {
    std::size_t const end = std::min(spec.find(' '), spec.size());
    if (end > 0) split.add(spec.substr(0, end));
    spec.remove_prefix(std::min(end + 1, spec.size()));
  }
  return split;
}

constexpr ParsedSharding parse_sharding(std::string_view spec) {
  SplitSharding const split = split_sharding(spec);
  if (!split.mistake.empty()) return {{}, {}, split.mistake};
  Parsed const shape = parse(split.plain.view());
  if (!shape.ok()) return {{}, FixedText(shape.culprit), FixedText(shape.mistake)};
  ParsedSharding result{split.sharding, {}, {}};
  result.sharding.shape = shape.shape;
  result.culprit = divided_twice(result.sharding);
  if (!result.culprit.empty()) result.mistake = "divides the tensor twice";
  int const namesake = divided_namesake(result.sharding);
  if (!result.ok() || namesake < 0) return result;
  result.culprit = result.sharding.shape[namesake].name;
  result.mistake = "is divided and stands twice: rename one axis";
  return result;
}

/// Are the axes of two shardings divided over the same axes of a mesh, one by one?
constexpr bool divided_alike(Sharding const& a, Sharding const& b) {
  for (int i = 0; i < a.shape.rank; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return a.shape.rank == b.shape.rank;
}

/// One axis as it stands in the spec of a sharding.
template <std::size_t N>
constexpr void write_axis(TextWriter<N>& out, Sharding const& sharding, int axis) {
  write_axis(out, sharding.shape[axis]);
  if (!sharding[axis].empty()) out << "@" << sharding[axis].view();
}

constexpr FixedText axis_text(Sharding const& sharding, int axis) {
  TextWriter<FixedText::capacity> out{};
  if (axis >= 0) write_axis(out, sharding, axis);
  return FixedText(out.view());
}

/// The canonical spec of a sharding.
constexpr ShapeText format(Sharding const& sharding) {
  ShapeText out{};
  for (int i = 0; i < sharding.shape.rank; ++i) {
    if (i > 0) out << " ";
    write_axis(out, sharding, i);
  }
  return out;
}

/// The shape of the part that one rank holds: of a divided axis only the name is known. (What is an
/// expression in axes speaks of whole ones.)
constexpr Shape local_shape(Sharding const& sharding) {
  Shape local = sharding.shape;
  bool const is_divided = !divided_over(sharding).empty();
  for (int i = 0; i < local.rank; ++i) {
    Axis const& whole = sharding.shape[i];
    bool const computed = is_divided && !whole.expression.empty();
    if (computed || !sharding[i].empty()) local[i] = named_axis(whole.name.view());
  }
  return local;
}

/// The spec need not be canonical; a malformed one equals none.
constexpr bool operator==(Sharding const& sharding, std::string_view spec) {
  ParsedSharding const parsed = parse_sharding(spec);
  return parsed.ok() && format(parsed.sharding).view() == format(sharding).view();
}

namespace error {

/// A sharding that makes no sense: the spec, the word in it, and why.
template <Spec spec, Spec culprit, Spec why>
struct malformed_sharding;

}  // namespace error

/// A sharding read once, for whoever asks.
template <Spec S>
inline constexpr ParsedSharding parsed_sharding = parse_sharding(S.view());

template <Spec S>
concept WellLaid = parsed_sharding<S>.ok();

template <Spec S>
constexpr auto canonical_sharding_spec() {
  if constexpr (WellLaid<S>) {
    constexpr ShapeText text = format(parsed_sharding<S>.sharding);
    return spec_from<text.length>(text.view());
  } else {
    constexpr FixedText const& culprit = parsed_sharding<S>.culprit;
    constexpr FixedText const& why = parsed_sharding<S>.mistake;
    return error::malformed_sharding<S, spec_from<culprit.length>(culprit.view()),
                                     spec_from<why.length>(why.view())>{};
  }
}

/// The spec of a sharding in canonical form; a malformed one does not compile and says why.
template <Spec S>
inline constexpr auto canonical_sharding = canonical_sharding_spec<S>();

/// The sharding that `Rule` computes, as a template argument.
template <class Rule>
struct ShardingBy {
  static constexpr ShapeText text = format(Rule::sharding());
  static constexpr auto spec = spec_from<text.length>(text.view());
};

/// Where the sharding of a spec is kept.
template <Spec S>
struct ShardingOf {
  static constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  static constexpr Shape const& shape = sharding.shape;
  struct Local {
    static constexpr Shape shape = local_shape(parsed_sharding<S>.sharding);
  };
};

}  // namespace tenon
