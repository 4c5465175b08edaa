// The same elements under other axes: sizes that are inferred, and the mistakes.

#include <tenon/core/rules/reshape.hpp>

#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

constexpr bool reshapes(Characters spec, Characters operand, Characters result, int given = 0) {
  Reshaping const rule = reshaping(spec, shape(operand), given);
  return rule.fits() && format(rule.shape).view() == result;
}
constexpr bool cannot_reshape(Characters spec, Characters operand, Characters why, int given = 0) {
  return reshaping(spec, shape(operand), given).mistake.view() == why;
}

static_assert(reshapes("2 3", "6", "2 3"));
static_assert(reshapes("row column=3", "12", "row=4 column=3"));
static_assert(reshapes("batch 784", "batch=32 28 28", "batch=32 784"));
static_assert(reshapes("batch 784", "batch 28 28", "batch 784"));
static_assert(reshapes("batch=1..64 rest", "batch=8 4 2", "batch=8 rest=8"));
static_assert(reshapes("n m", "6", "n m", 2));
static_assert(reshapes("0", "0 n", "0"));
static_assert(reshapes("n", "m k", "n"));
static_assert(reshapes("n 3", "9007199254740992 9007199254740992", "n 3"));
static_assert(reshapes("n m", "n n 2", "n m", 2));
static_assert(cannot_reshape("2 3", "7", "another number of elements"));
static_assert(cannot_reshape("n 3", "7", "the elements are not a multiple"));
static_assert(cannot_reshape("n 0", "6", "the elements are not a multiple"));
static_assert(cannot_reshape("n m", "6", "more than one axis is open"));
static_assert(cannot_reshape("n m", "6", "another number of open axes", 1));
static_assert(cannot_reshape("n=1..4 m", "n=5 2", "n: its size is outside its bounds"));
static_assert(cannot_reshape("n$", "6", "n$: an unknown character"));
