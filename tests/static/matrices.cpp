// The shapes of linear algebra: solutions, inverses, and stretched batches.

#include <tenon/core/rules/matrices.hpp>

#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

constexpr bool solves(Characters a, Characters b, Characters x) {
  Solving const rule = solve_rule(shape(a), shape(b));
  return rule.fits && format(rule.shape).view() == x;
}
constexpr bool cannot_solve(Characters a, Characters b, int left, int right) {
  Solving const rule = solve_rule(shape(a), shape(b));
  return !rule.fits && rule.left_axis == left && rule.right_axis == right;
}
constexpr bool stretches(Characters a, Characters b, Characters whole, int first) {
  Solving const rule = solve_rule(shape(a), shape(b));
  Stretch const stretch = stretch_rule(rule.batch, 1, shape(b), rule.vectors ? 1 : 2);
  return stretch.needed && format(stretch.shape).view() == whole && stretch.order[0] == first;
}

// "n m" maps vectors along m to vectors along n.
static_assert(solves("n m", "n", "m"));
static_assert(solves("n m", "n k", "m k"));
static_assert(solves("3 3", "3", "3"));
static_assert(solves("n=3 m", "3 k=2", "m=3 k=2"));
static_assert(solves("batch n m", "batch n", "batch m"));
static_assert(solves("batch n m", "batch n k", "batch m k"));
static_assert(solves("batch n m", "n", "batch m"));
static_assert(cannot_solve("n m", "k", 0, 0));
static_assert(cannot_solve("3 3", "4 2", 0, 0));
static_assert(cannot_solve("a n m", "b n k", 0, 0));
static_assert(cannot_solve("n m", "", 0, -1));
static_assert(stretches("batch n m", "1 n k", "batch n k", -1));

// The last two axes are square if they can have one size.
static_assert(is_square(shape("n m")) && is_square(shape("b 3 3")) && is_square(shape("n n=3")));
static_assert(!is_square(shape("3 4")) && !is_square(shape("n n+1")) && !is_square(shape("n")));
static_assert(format(inverse_shape(shape("n=3 m"))).view() == "m=3 n=3");
static_assert(format(inverse_shape(shape("b n 3"))).view() == "b 3 n=3");
static_assert(format(symmetric_shape(shape("b n 3"))).view() == "b n=3 n=3");
static_assert(format(shorter_axis(shape("b 3 4"))).view() == "3");
static_assert(format(shorter_axis(shape("n m"))).view() == "min(m,n)");
