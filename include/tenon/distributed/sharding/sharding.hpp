#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/parse.hpp>
#include <tenon/core/mistake.hpp>

namespace tenon::compile_error {

/// An invalid sharding: the spec, the token in it, and the reason.
template <Spec spec, Spec culprit, Spec why>
struct malformed_sharding;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// The sharding of a tensor on a mesh of ranks: its axes, and the mesh axes that divide each of
/// them. `"batch@dp hidden=128@tp"`: batch is divided over `dp`, hidden over `tp`; `n@dp@cp` is
/// divided over `dp`, and each shard over `cp`. Over all other mesh axes the tensor is replicated.
struct Sharding {
  Shape shape{};                           ///< Of the global tensor.
  std::array<FixedText, max_rank> over{};  ///< For each axis: "", "dp", "dp@cp".

  constexpr FixedText const& operator[](int axis) const {
    return over[static_cast<std::size_t>(axis)];
  }
  constexpr FixedText& operator[](int axis) { return over[static_cast<std::size_t>(axis)]; }
};

/// Calls `f(name)` for every mesh axis in a list such as "dp@cp".
template <class F>
constexpr void for_each_mesh_axis(std::string_view list, F const& f) {
  while (!list.empty()) {
    std::size_t const end = (std::min)(list.find('@'), list.size());
    f(list.substr(0, end));
    list.remove_prefix((std::min)(end + 1, list.size()));
  }
}

/// Whether a list contains a mesh axis.
constexpr bool lists(std::string_view list, std::string_view name) {
  bool found = false;
  for_each_mesh_axis(list, [&](std::string_view one) { found = found || one == name; });
  return found;
}

/// The list with one mesh axis appended, unless it contains it.
constexpr FixedText with_mesh_axis(FixedText list, std::string_view name) {
  if (lists(list.view(), name)) return list;
  if (!list.empty()) list.append("@");
  list.append(name);
  return list;
}

/// The list separated by spaces: "dp cp".
constexpr FixedText as_words(std::string_view list) {
  FixedText words(list);
  for (char& c : words.characters) c = c == '@' ? ' ' : c;
  return words;
}

/// All mesh axes that divide any axis of a sharding, as a list.
constexpr FixedText divided_over(Sharding const& sharding) {
  FixedText all;
  for (int i = 0; i < sharding.shape.rank; ++i)
    for_each_mesh_axis(sharding[i].view(), [&](auto name) { all = with_mesh_axis(all, name); });
  return all;
}

/// The mesh axis that divides a tensor twice; "" if there is none.
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

/// The first sharded axis whose name is also that of another axis; -1 if there is none. (One name
/// would have two local sizes.)
constexpr int divided_namesake(Sharding const& sharding) {
  Shape const& shape = sharding.shape;
  for (int i = 0; i < shape.rank; ++i)
    for (int k = 0; k < shape.rank; ++k)
      if (i != k && !sharding[i].empty() && !shape[i].name.empty() &&
          shape[i].name == shape[k].name)
        return i;
  return -1;
}

/// The sharding parsed from a spec, or the error.
struct ParsedSharding {
  Sharding sharding{};
  FixedText culprit{};
  FixedText mistake{};

  constexpr bool ok() const { return mistake.empty(); }
};

/// A spec without its @ suffixes, and the suffix of each axis.
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
    std::size_t const end = (std::min)(spec.find(' '), spec.size());
    if (end > 0) split.add(spec.substr(0, end));
    spec.remove_prefix((std::min)(end + 1, spec.size()));
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

/// Whether two shardings divide their axes over the same mesh axes, in order.
constexpr bool divided_alike(Sharding const& a, Sharding const& b) {
  for (int i = 0; i < a.shape.rank; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return a.shape.rank == b.shape.rank;
}

/// Writes one axis as in the spec of a sharding.
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

/// The shape of a local shard: the sizes of sharded axes are dynamic. Sizes in names refer to
/// global sizes: `n@dp k=n` is `n k=_` on a rank.
constexpr Shape local_shape(Sharding const& sharding) {
  Shape local = sharding.shape;
  bool const is_divided = !divided_over(sharding).empty();
  for (int i = 0; i < local.rank; ++i) {
    Axis const& whole = sharding.shape[i];
    bool const is_computed = is_divided && whole.is_computed();
    if (is_computed) local[i] = unrelated_axis(whole.name);
    else if (!sharding[i].empty()) local[i] = named_axis(whole.name.view());
  }
  return local;
}

/// Compares with a spec, which need not be canonical; a malformed spec equals no sharding.
constexpr bool operator==(Sharding const& sharding, std::string_view spec) {
  ParsedSharding const parsed = parse_sharding(spec);
  return parsed.ok() && format(parsed.sharding).view() == format(sharding).view();
}

/// The parsed sharding of a spec, cached.
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

/// The spec of a sharding in canonical form; a compile error with the reason for a malformed one.
template <Spec S>
inline constexpr auto canonical_sharding = canonical_sharding_spec<S>();

/// The sharding that `Rule` computes, as a template argument.
template <class Rule>
struct ShardingBy {
  static constexpr ShapeText text = format(Rule::sharding());
  static constexpr auto spec = spec_from<text.length>(text.view());
};

/// The parsed sharding of a spec.
template <Spec S>
struct ShardingOf {
  static constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  static constexpr Shape const& shape = sharding.shape;
  struct Local {
    static constexpr Shape shape = local_shape(parsed_sharding<S>.sharding);
  };
};

}  // namespace tenon::internal
