#include "reference.hpp"

namespace predicates_test {

using namespace every_op;

namespace {

template <class Op, class T, class D>
void answers() {
  Verdict verdict(claim<Op, T, D>("values"));
  auto const& reference = reference_of<Op>(predicate_references);
  std::vector<T> const all = numbers<T>();
  for (std::int64_t shift = 0; shift < static_cast<std::int64_t>(all.size()); shift += 7) {
    for (std::int64_t const length : lengths()) {
      auto const x = cycle(all, length, shift);
      auto const y = eval(map<Op>(vector_of<T, D>(x)));
      verdict.record(y);
      static_assert(std::same_as<typename decltype(y)::value_type, bool>);
      REQUIRE(y.size() == length);
      for (std::int64_t i = 0; i < length; ++i) {
        bool const expected = reference.f(x[static_cast<std::size_t>(i)]);
        verdict.expect(y(i) == expected, "value", i, y(i), expected);
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every predicate of a number has the result of C++", D, Cpu, Reference) {
  op::for_each(op::Predicates{}, []<class Op>() {
    answers<Op, float, D>();
    answers<Op, double, D>();
  });
}

}  // namespace predicates_test
