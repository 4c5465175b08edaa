#pragma once

#include "reference.hpp"

namespace every_op {

/// A number gives the same bits at every position.
template <class T>
class Memo {
 public:
  bool same(T x, T y) {
    for (auto const& [from, value] : seen_) {
      if (std::memcmp(&from, &x, sizeof(T)) == 0)
        return y != y || std::memcmp(&value, &y, sizeof(T)) == 0;
    }
    seen_.emplace_back(x, y);
    return true;
  }

 private:
  std::vector<std::pair<T, T>> seen_;
};

/// Whether it is as close as the terms of the op are, which cancel.
template <class Op, class T>
bool is_within_terms(T got, T x, Wide expected) {
  if constexpr (!requires { Op::terms(Wide(x)); }) return false;
  else
    return std::fabs(got - expected) <= op::error_bound<Op, T>() * Op::terms(Wide(x)) *
                                            static_cast<Wide>(std::numeric_limits<T>::epsilon());
}

/// One op applied to all numbers, in every lane and every tail.
template <class Op, class T, class D>
void unary_values() {
  Verdict verdict(claim<Op, T, D>("values"));
  int const units = units_of<Op, T>();
  std::vector<T> const all = numbers<T>();
  Memo<T> remembered;
  for (std::int64_t first = 0; first < static_cast<std::int64_t>(all.size()); first += 13) {
    for (std::int64_t const length : lengths()) {
      std::vector<T> const x = cycle(all, length, first);
      auto const y = eval(map<Op>(vector_of<T, D>(x)));
      verdict.record(y);
      REQUIRE(y.size() == length);
      for (std::int64_t i = 0; i < length; ++i) {
        T const from = x[static_cast<std::size_t>(i)];
        Wide const expected = Op::reference(Wide(from));
        std::string const where = "f(" + std::to_string(from) + ")";
        verdict.expect(agrees(y(i), expected, units) || is_within_terms<Op>(y(i), from, expected),
                       where, i, y(i), expected);
        verdict.expect(remembered.same(from, y(i)), where + ", other bits", i, y(i), expected);
      }
    }
  }
}

}  // namespace every_op
