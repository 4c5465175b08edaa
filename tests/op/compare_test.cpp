#include <algorithm>
#include <complex>
#include <iterator>
#include <utility>

#include "every_op.hpp"

using namespace tenon;
using namespace tenon::internal;

namespace {

// One dtype of each width, which are loaded and compared differently.
using Integers =
    op::List<std::int8_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t>;

/// The results of all six comparisons as bits.
template <class... Ops>
int answers(op::List<Ops...>, auto a, auto b, int lane) {
  int bits = 0, place = 0;
  auto const take = [&](auto mask) {
    if constexpr (std::same_as<decltype(mask), bool>) bits |= (mask ? 1 : 0) << place++;
    else bits |= (mask.lane(lane) ? 1 : 0) << place++;
  };
  (take(Ops::f(a, b)), ...);
  return bits;
}

template <class A, class B>
int expected(A a, B b) {
  int bits = 0, place = 0;
  for (bool answer :
       {std::cmp_less(a, b), std::cmp_less_equal(a, b), std::cmp_greater(a, b),
        std::cmp_greater_equal(a, b), std::cmp_equal(a, b), std::cmp_not_equal(a, b)}) {
    bits |= (answer ? 1 : 0) << place++;
  }
  return bits;
}

template <class A, class B>
checks::Mistakes mistakes() {
  checks::Mistakes found;
  for (A a : values::integers<A>()) {
    for (B b : values::integers<B>()) {
      int const scalar = answers(op::Comparisons{}, a, b, 0);
      int const lanes = answers(op::Comparisons{}, Lanes<A>(a), Lanes<B>(b), lane_count - 1);
      if (scalar == expected(a, b) && lanes == expected(a, b)) continue;
      found.push_back(checks::joined_text(+a, " and ", +b, ": ", scalar, ", in lanes ", lanes));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("any two integers are compared by their values") {
  checks::Mistakes found;
  op::for_each(Integers{}, [&]<class A>() {
    op::for_each(Integers{}, [&]<class B>() {
      std::ranges::move(mistakes<A, B>(), std::back_inserter(found));
    });
  });
  expect_none(found);
}

static_assert(op::Less::f(-1, std::uint64_t{0}));
static_assert(!op::Equal::f(std::int64_t{-1}, ~std::uint64_t{0}));

template <class A, class B>
concept Compared = requires(A a, B b) { op::Less::f(a, b); };
static_assert(Compared<int, unsigned char> && Compared<float, float>);
static_assert(!Compared<int, double> && !Compared<bool, int>);
static_assert(!Compared<std::complex<float>, std::complex<float>>);
