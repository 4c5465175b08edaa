#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

// Shapes of equal rank are matched axis by axis.
static_assert(fits("", "", ""));
static_assert(fits("batch digit=10", "batch digit=10", "batch digit=10"));
static_assert(fits("batch digit", "_ 10", "batch digit=10"));
static_assert(fits("a b", "a b", "a b"));
static_assert(mismatches("a b", "b a", 0, 0));
static_assert(mismatches("3 4", "3 5", 1, 1));
static_assert(mismatches("batch=32 height=28", "batch=32 width=28", 1, 1));

// By name: every axis of the smaller shape is named and found in the larger, in order.
static_assert(fits("batch digit=10", "digit=10", "batch digit=10"));
static_assert(fits("batch digit=10", "digit", "batch digit=10"));
static_assert(fits("batch digit=10", "batch", "batch digit=10"));
static_assert(fits("a b c", "a c", "a b c"));
static_assert(fits("a b c", "b", "a b c"));
static_assert(fits("a b c d", "b d", "a b c d"));
static_assert(fits("a 3 c", "a", "a 3 c"));
static_assert(fits("batch digit=10", "batch=4", "batch=4 digit=10"));
static_assert(maps("a b c", "a c", "012", "02"));
static_assert(maps("b", "a b c", "1", "012"));
static_assert(mismatches("a b c", "c a", 1, 0));
static_assert(mismatches("a=3 b", "a=4", 0, 0));
static_assert(mismatches("a=..4 b", "a=5"));

// Otherwise by position from the right; missing axes are added on the left of the smaller.
static_assert(fits("batch 28 28", "28 28", "batch 28 28"));
static_assert(fits("batch 28", "28", "batch 28"));
static_assert(fits("batch 28", "width=28", "batch width=28"));
static_assert(fits("batch height width", "28 _", "batch height=28 width"));
static_assert(fits("a b", "_", "a b"));
static_assert(fits("3 4", "", "3 4"));
static_assert(maps("batch 28", "28", "01", "1"));
static_assert(mismatches("28 batch", "28 3 batch", 0, 1));
static_assert(mismatches("3 4", "3", 1, 0));
static_assert(mismatches("a b", "c", 1, 0));
static_assert(mismatches("a b", "a c", 1, 1));

// Two shapes that each have a name that the other lacks are a mismatch.
static_assert(mismatches("i d", "j d", 0, 0));
static_assert(mismatches("i", "j"));
static_assert(mismatches("batch i", "j"));
static_assert(fits("i 1 d", "j d", "i j d"));
static_assert(fits("i 1", "1 j", "i j"));
static_assert(fits("i 1", "j", "i j"));

// Static size 1 is matched first and broadcasts; a run-time axis never broadcasts.
static_assert(fits("1", "digit=10", "digit=10"));
static_assert(fits("1", "n", "n"));
static_assert(fits("1", "_", "_"));
static_assert(fits("digit=1", "digit=10", "digit=10"));
static_assert(fits("digit=1", "10", "10"));
static_assert(fits("batch digit=1", "batch digit", "batch digit"));
static_assert(fits("digit=1", "batch digit=10", "batch digit=10"));
static_assert(fits("height=1", "width=28", "width=28"));
static_assert(fits("1", "1", "1"));
static_assert(fits("n=1", "1", "n=1"));
static_assert(fits("n=1", "m=1", "1"));
static_assert(fits("1", "0", "0"));
static_assert(fits("1 n+1", "m 1", "m n+1"));
static_assert(maps("digit=1", "batch digit=10", "-", "01"));
static_assert(maps("3 1", "1 4", "0-", "-1"));
static_assert(maps("1 1", "1 4", "0-", "01"));
static_assert(mismatches("2", "4"));

// Bounds and computed sizes.
static_assert(fits("batch=1..64 3", "batch=32.. _", "batch=32..64 3"));
static_assert(mismatches("batch=1..3", "batch=4..9", 0, 0));
static_assert(fits("n+1", "1+n", "n+1"));
static_assert(fits("n n+1", "_ n+1", "n n+1"));
static_assert(fits("n n+1", "4 _", "n=4 5"));
static_assert(fits("n+1", "n", "n") && fits("b t=t-1", "t=t-2", "b t=t-1"));

// A computed size stays only if its names still mean what they meant.
static_assert(fits("t k=t-1", "t=5 1", "t=5 k=4") && fits("t k=t-1", "k", "t k"));
static_assert(fits("t=t-1 1", "1 t", "t=_ t") && fits("k=t-1 1", "t", "k=_ t"));
static_assert(fits("k=t-1 1", "n", "k=t-1 n") && fits("t k=t-1 1", "t k=t-1 m", "t k=t-1 m"));

// A name that occurs twice: in the same order, or ambiguous.
static_assert(fits("n n", "n n", "n n"));
static_assert(fits("b n n", "n n", "b n n"));
static_assert(fits("n n b", "n n", "n n b"));
static_assert(fits("n n", "_ n", "n n"));
static_assert(fits("n n", "3 _", "n=3 n"));
static_assert(fits("n n", "n n=1", "n n"));
static_assert(fits("n n", "4", "n n=4"));
static_assert(mismatches("n n", "n"));
static_assert(mismatches("n n m", "n m"));
static_assert(mismatches("n n", "3 4"));

// Three operands: their order is irrelevant.
constexpr bool three(Characters a, Characters b, Characters c, Characters result) {
  auto const gives = [&](Characters x, Characters y, Characters z) {
    auto const all = broadcast_shapes(shape(x), shape(y), shape(z));
    return all.fits && format(all.shape).view() == result;
  };
  return gives(a, b, c) && gives(a, c, b) && gives(b, a, c) && gives(b, c, a) && gives(c, a, b) &&
         gives(c, b, a);
}
static_assert(three("i j", "i", "j", "i j"));
static_assert(three("batch digit=10", "digit", "1", "batch digit=10"));
static_assert(three("query key", "batch query key", "", "batch query key"));
static_assert(three("n", "_", "3", "n=3"));
static_assert(three("1", "1 1", "a b", "a b"));

constexpr auto mistaken = broadcast_shapes(shape("b"), shape("a b"), shape("a c"));
static_assert(!mistaken.fits && mistaken.left == 1 && mistaken.right == 2);
static_assert(mistaken.left_axis == 1 && mistaken.right_axis == 1);
constexpr auto stretched = broadcast_shapes(shape("1"), shape("1 1"), shape("2 3"));
static_assert(stretched.maps[0][0] == -1 && stretched.maps[1][0] == -1 &&
              stretched.maps[1][1] == -1 && stretched.maps[2][1] == 1);
constexpr auto alone = broadcast_shapes(shape("a 3"));
static_assert(alone.fits && alone.shape == "a 3" && alone.maps[0][1] == 1 &&
              alone.maps[0][2] == -1);
