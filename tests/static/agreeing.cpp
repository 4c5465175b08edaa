#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

// Two names are equal, or one axis has none.
static_assert(merges("n", "n", "n"));
static_assert(merges("n", "_", "n"));
static_assert(merges("_", "_", "_"));
static_assert(merges("n", "28", "n=28"));
static_assert(merges("n=28", "28", "n=28"));
static_assert(merges("n=28", "n", "n=28"));
static_assert(merges("n=28", "_", "n=28"));
static_assert(merges("28", "_", "28"));
static_assert(merges("0", "_", "0"));
static_assert(disagrees("n", "m"));
static_assert(disagrees("height=28", "width=28"));
static_assert(disagrees("n=3", "n=4"));
static_assert(disagrees("n=3", "4"));
static_assert(disagrees("3", "4"));
static_assert(disagrees("0", "1"));
static_assert(disagrees("n=1", "n=4"));

// Bounds intersect.
static_assert(merges("n=1..64", "n", "n=1..64"));
static_assert(merges("n=1..64", "_", "n=1..64"));
static_assert(merges("n=1..64", "n=32..128", "n=32..64"));
static_assert(merges("n=..64", "n=32..", "n=32..64"));
static_assert(merges("n=1..3", "n=3..8", "n=3"));
static_assert(merges("n=1..64", "32", "n=32"));
static_assert(merges("n=1..64", "n=64", "n=64"));
static_assert(disagrees("n=1..64", "65"));
static_assert(disagrees("n=1..64", "n=0"));
static_assert(disagrees("n=1..3", "n=4..8"));

// Computed sizes: equal normal forms fit, a constant difference does not, others are checked at run
// time.
static_assert(merges("n+1", "1+n", "n+1"));
static_assert(merges("n+1", "_", "n+1"));
static_assert(merges("n+1", "5", "5"));
static_assert(merges("n+1", "m", "m"));
static_assert(merges("n+1", "m=1..4", "m=1..4"));
static_assert(agree(axis("n+1"), axis("m+1")) && agree(axis("n+1"), axis("2*n")));
static_assert(agree(axis("n//2"), axis("n")) && agree(axis("min(m,n)"), axis("n")));
static_assert(merges("n+1", "2*n+1", "n+1") && merges("n+m", "2*n", "2*n"));

// Sizes known at run time are compared when two values meet.
static_assert(merges("t", "t=t-1", "t") && merges("t=t-1", "t", "t"));
static_assert(merges("t=1..4", "t=t-1", "t=1..4") && merges("t=t-1", "t=9", "t=9"));
static_assert(merges("t=t-1", "t=t-2", "t=t-1") && merges("t=t-2", "t=t-1", "t=t-1"));
static_assert(merges("t=t-1", "t=_", "t=t-1") && merges("t=_", "t", "t"));
static_assert(merges("t=_", "t=_", "t=_") && merges("t=_", "_", "t=_"));
static_assert(merges("t=_", "8", "t=8") && merges("n+1", "t=_", "t=n+1"));
static_assert(merges("n+1", "t=t-1", "t=n+1") && merges("t=t-1", "_", "t=t-1"));
static_assert(merges("n+1", "n", "n") && merges("n+1", "n+2", "n+1"));
static_assert(disagrees("t=t-1", "s=t-1") && disagrees("t=_", "s") && disagrees("t=9", "t=8"));

// Within one shape a size in names is a relation.
static_assert(!can_be_equal(axis("t"), axis("t=t-1")) && can_be_equal(axis("t"), axis("k=n-1")));
static_assert(!can_be_equal(axis("n//2"), axis("n//2+1")) && can_be_equal(axis("t=_"), axis("t")));

// Assignment does not broadcast.
static_assert(assignable(shape("batch digit=10"), shape("batch digit")));
static_assert(assignable(shape("batch digit=10"), shape("_ 10")));
static_assert(assignable(shape(""), shape("")));
static_assert(assignable(shape("n n"), shape("n n")));
static_assert(!assignable(shape("batch digit=10"), shape("digit=10")));
static_assert(!assignable(shape("batch=4 digit=10"), shape("1 digit=10")));
static_assert(!assignable(shape("a b"), shape("b a")));
static_assert(!assignable(shape("3"), shape("")));
static_assert(assignable(shape("n+1"), shape("n")) && assignable(shape("t"), shape("t=t-1")));
static_assert(merged(shape("batch digit=10"), shape("4 _")) == "batch=4 digit=10");
static_assert(merged(shape("n n+1"), shape("4 _")) == "n=4 5");
static_assert(merged(shape("n _"), shape("_ m+1")) == "n m+1");
