#pragma once

#include <string>
#include <vector>

#include "node.hpp"

/// Views, gathers, choices and the matmul.
namespace trees {

/// A view or gather of its operands that repeats each element at most `times` times.
inline Analysis moving(std::function<double(Sizes const&)> times) {
  Analysis analysis;
  analysis.forward = [](Ranges const& x, Sizes const&) -> std::optional<Range> {
    Range all = x[0];
    for (Range const& range : x) {
      all.low = std::min(all.low, range.low);
      all.high = std::max(all.high, range.high);
      all.error = std::max(all.error, range.error);
      all.bits = all.bits < 0 || range.bits < 0 ? -1 : std::max(all.bits, range.bits);
    }
    return all;
  };
  analysis.backward = [times](Ranges const& x, Adjoint const& dy, Sizes const& sizes) {
    double const n = std::max(1.0, times(sizes));
    return std::vector<Adjoint>(x.size(), {n * dy.most, n * (dy.error + n * dy.most)});
  };
  return analysis;
}

inline Analysis moving() {
  return moving([](Sizes const&) { return 1.0; });
}

/// Integer ids, without an adjoint.
inline Analysis counting() {
  return {
      [](Ranges const&, Sizes const&) -> std::optional<Range> {
        return Range{0, 1, 0, 0};
      },
      [](Ranges const& x, Adjoint const&, Sizes const&) { return std::vector<Adjoint>(x.size()); }};
}

/// A gather: only the table has an adjoint.
inline Analysis gathering(Axis const& ids, Axis const& table) {
  Analysis analysis = moving();
  analysis.forward = [ids, table](Ranges const& x, Sizes const& sizes) -> std::optional<Range> {
    if (table.size(sizes) == 0 && ids.size(sizes) != 0) return {};
    return x[0];
  };
  analysis.backward = [ids](Ranges const&, Adjoint const& dy, Sizes const& sizes) {
    double const n = std::max(1, ids.size(sizes));
    return std::vector<Adjoint>{{n * dy.most, n * (dy.error + n * dy.most)}, {}};
  };
  return analysis;
}

/// A choice between two operands by a mask.
inline Analysis choosing(Shape const& shape, std::vector<Shape> const& operands) {
  Analysis analysis;
  analysis.forward = [](Ranges const& x, Sizes const& sizes) {
    return moving().forward({x[1], x[2]}, sizes);
  };
  analysis.backward = [shape, operands](Ranges const&, Adjoint const& dy, Sizes const& sizes) {
    std::vector<Adjoint> result{{}};
    for (std::size_t i = 1; i < 3; ++i) {
      double const n =
          std::max(1.0, 1.0 * count(shape, sizes) / std::max(1, count(operands[i], sizes)));
      result.push_back({n * dy.most, n * (dy.error + n * dy.most)});
    }
    return result;
  };
  return analysis;
}

/// A mask: its operands are exact, so that it is the same in every dtype.
inline Analysis comparing() {
  Analysis analysis = counting();
  analysis.forward = [](Ranges const& x, Sizes const&) -> std::optional<Range> {
    if (!x[0].is_exact() || !x[1].is_exact()) return {};
    return Range{0, 1, 0, 0};
  };
  return analysis;
}

/// "m k" by "k n".
inline Analysis multiplying(Axis const& m, Axis const& k, Axis const& n) {
  Analysis analysis;
  analysis.forward = [k](Ranges const& x, Sizes const& sizes) -> std::optional<Range> {
    double const terms = k.size(sizes), a = x[0].most(), b = x[1].most();
    double const ends[] = {x[0].low * x[1].low, x[0].low * x[1].high, x[0].high * x[1].low,
                           x[0].high * x[1].high};
    bool const exact = x[0].is_exact() && x[1].is_exact();
    Range result = range_of(
        terms * *std::min_element(ends, ends + 4), terms * *std::max_element(ends, ends + 4),
        terms * (a * x[1].error + b * x[0].error), exact ? x[0].bits + x[1].bits : -1);
    if (!result.is_exact()) result.error += terms * terms * a * b;
    return result;
  };
  analysis.backward = [m, n](Ranges const& x, Adjoint const& dy, Sizes const& sizes) {
    auto const reached = [&](double terms, Range const& other) {
      double const most = terms * other.most() * dy.most;
      return Adjoint{
          most, terms * (other.most() * dy.error + dy.most * other.error) + (terms + 1) * most};
    };
    return std::vector<Adjoint>{reached(n.size(sizes), x[1]), reached(m.size(sizes), x[0])};
  };
  return analysis;
}

}  // namespace trees
