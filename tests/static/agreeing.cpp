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
static_assert(disagrees("n+1", "n"));
static_assert(disagrees("n+1", "n+2"));
static_assert(disagrees("2*n", "2*n+1"));
static_assert(disagrees("n//2", "n//2+1"));
static_assert(disagrees("min(m,n)", "min(n,m)+1"));
static_assert(disagrees("n*m+1", "m*n"));

// Assignment does not broadcast.
static_assert(assignable(shape("batch digit=10"), shape("batch digit")));
static_assert(assignable(shape("batch digit=10"), shape("_ 10")));
static_assert(assignable(shape(""), shape("")));
static_assert(assignable(shape("n n"), shape("n n")));
static_assert(!assignable(shape("batch digit=10"), shape("digit=10")));
static_assert(!assignable(shape("batch=4 digit=10"), shape("1 digit=10")));
static_assert(!assignable(shape("a b"), shape("b a")));
static_assert(!assignable(shape("3"), shape("")));
static_assert(!assignable(shape("n+1"), shape("n")));
static_assert(merged(shape("batch digit=10"), shape("4 _")) == "batch=4 digit=10");
static_assert(merged(shape("n n+1"), shape("4 _")) == "n=4 5");
static_assert(merged(shape("n _"), shape("_ m+1")) == "n m+1");
