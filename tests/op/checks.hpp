#pragma once

#include <array>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/op/list.hpp>

#include "values.hpp"

/// Checks of single ops. They return the mistakes found, so that they can be tested themselves.
namespace checks {

using namespace tenon::internal;

using tenon::internal::lane_count;
using tenon::internal::Lanes;
using Mistakes = std::vector<std::string>;

template <class... T>
std::string joined_text(T const&... part) {
  std::ostringstream text;
  text.precision(17);
  (text << ... << part);
  return text.str();
}

template <class T>
bool same_bits(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// The distance in units in the last place; NaN and infinities must be met exactly.
template <class T>
double distance(T got, long double expected) {
  using L = std::numeric_limits<T>;
  T const rounded = static_cast<T>(expected);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(got)) return rounded == got ? 0 : 1e9;
  int exponent = 0;
  std::frexp(expected, &exponent);
  if (expected == 0 || exponent < L::min_exponent) exponent = L::min_exponent;
  long double const unit = std::ldexp(1.0L, exponent - L::digits);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - expected) / unit);
}

/// The arguments for the test of a unary or binary op, one column per operand.
template <class Op, class T>
struct Table {
  static constexpr bool binary = requires { Op::f(T{}, T{}); };
  std::vector<T> a, b;

  int size() const { return static_cast<int>(a.size()); }
  auto scalar(int i) const {
    auto const at = static_cast<std::size_t>(i);
    if constexpr (binary) return Op::f(a[at], b[at]);
    else return Op::f(a[at]);
  }
  auto lanes(int begin, int count) const {
    auto const x = Lanes<T>::load(a.data() + begin, count);
    if constexpr (binary) return Op::f(x, Lanes<T>::load(b.data() + begin, count));
    else return Op::f(x);
  }
  std::string arguments(int i) const {
    auto const at = static_cast<std::size_t>(i);
    return binary ? joined_text(+a[at], ", ", +b[at]) : joined_text(+a[at]);
  }
};

/// Every value once, or every pair of special values followed by pairs of ordinary values.
template <class Op, class T>
Table<Op, T> table(std::vector<T> const& edges, std::vector<T> const& ordinary) {
  Table<Op, T> all;
  if constexpr (Table<Op, T>::binary) {
    for (T x : edges) all.a.insert(all.a.end(), edges.size(), x);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      all.b.insert(all.b.end(), edges.begin(), edges.end());
    }
    for (std::size_t i = 0; i < ordinary.size(); ++i) {
      all.a.push_back(ordinary[i]);
      all.b.push_back(ordinary[(i * 7 + 5) % ordinary.size()]);
    }
  } else {
    all.a = edges;
    all.a.insert(all.a.end(), ordinary.begin(), ordinary.end());
  }
  return all;
}

template <class Op, class T>
Table<Op, T> table() {
  if constexpr (std::floating_point<T>) {
    return table<Op, T>(values::edges<T>(), values::ordinary<T>());
  } else {
    return table<Op, T>(values::integers<T>(), values::integers<T>());
  }
}

/// The scalar body against the reference.
template <class Op, class T>
Mistakes value_mistakes() {
  Mistakes found;
  auto const all = table<Op, T>();
  for (int i = 0; i < all.size(); ++i) {
    auto const a = static_cast<long double>(all.a[static_cast<std::size_t>(i)]);
    long double expected = 0;
    if constexpr (Table<Op, T>::binary) {
      expected = Op::reference(a, static_cast<long double>(all.b[static_cast<std::size_t>(i)]));
    } else {
      expected = Op::reference(a);
    }
    double const off = distance(all.scalar(i), expected);
    if (off <= tenon::op::error_bound<Op, T>() + 0.01) continue;
    found.push_back(joined_text(Op::name, "(", all.arguments(i), ") is ", all.scalar(i),
                                ", expected ", expected, ", ", off, " units off"));
  }
  return found;
}

/// The result of one argument in lanes, and whether it is close to the scalar result: equal for
/// dtypes that are not floating.
template <class R>
struct InLanes {
  R result;
  bool is_near;
};
template <class Op, class T>
auto each_in_lanes(Table<Op, T> const& all) {
  using R = decltype(all.scalar(0));
  std::vector<InLanes<R>> each;
  for (int i = 0; i < all.size(); ++i) {
    R const result = all.lanes(i, 1).lane(lane_count - 1), scalar = all.scalar(i);
    bool is_near = same_bits(result, scalar);
    if constexpr (std::floating_point<T>) is_near = is_near || distance(T(result), scalar) < 3;
    each.push_back({result, is_near});
  }
  return each;
}

/// The result has the same bits in every lane and for any number of lanes in use, and is close to
/// the scalar result.
template <class Op, class T>
Mistakes lane_mistakes() {
  Mistakes found;
  auto const all = table<Op, T>();
  auto const each = each_in_lanes(all);
  for (int count = 1; count <= lane_count; ++count) {
    for (int begin = 0; begin + count <= all.size(); begin += count) {
      auto const lanes = all.lanes(begin, count);
      for (int i = 0; i < count; ++i) {
        auto const got = lanes.lane(i);
        auto const& own = each[static_cast<std::size_t>(begin + i)];
        if (own.is_near && same_bits(got, own.result)) continue;
        found.push_back(joined_text(Op::name, "(", all.arguments(begin + i), ") in lane ", i,
                                    " of ", count, " is ", +got, ", the scalar ",
                                    +all.scalar(begin + i)));
      }
    }
  }
  return found;
}

}  // namespace checks
