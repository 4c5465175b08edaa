#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

// Concatenated axes.
static_assert(sums("3", "4", "7"));
static_assert(sums("t=3", "t=4", "t=7"));
static_assert(sums("t=n", "t=m", "t=m+n"));
static_assert(sums("n", "n", "n=_"));
static_assert(sums("n", "3", "n=n+3"));
static_assert(sums("n+1", "n-1", "_") && sums("t", "t=t-1", "t=_"));
static_assert(sums("n+1", "m=4", "m=n+5"));
static_assert(sums("n", "0", "n"));
static_assert(sums("_", "3", "_"));
static_assert(sums("n", "_", "n=_"));
static_assert(sums("t=1..4", "t=m", "t=m+t"));

// Extended or shortened axes.
static_assert(grows("n", 2, "n=n+2") && grows("t=t-1", -1, "t=t-2") && grows("t=t-2", 2, "t"));
static_assert(grows("n+2", -1, "n+1"));
static_assert(grows("n+1", -1, "n"));
static_assert(grows("n", 0, "n"));
static_assert(grows("n=28", 2, "n=30"));
static_assert(grows("n=28", 0, "n=28"));
static_assert(grows("28", -28, "0"));
static_assert(grows("28", -29, "_"));
static_assert(grows("_", 2, "_"));
static_assert(grows("n=1..4", 1, "n=n+1") && grows("n=_", 1, "n=_"));
static_assert(grows("n//2", 1, "n//2+1"));

// Truncated or padded axes.
static_assert(format(resized(axis("t=10"), 3)).view() == "t=3");
static_assert(format(resized(axis("t=10"), 10)).view() == "t=10");
static_assert(format(resized(axis("t"), 3)).view() == "t=3");
static_assert(format(resized(axis("t"), dynamic)).view() == "t=_");
static_assert(format(resized(axis("10"), dynamic)).view() == "_");

// Computed sizes, as of a convolution: (n + 2*padding - kernel) // stride + 1.
constexpr AxisExtent n = symbolic_extent(axis("n"));
constexpr AxisExtent five = symbolic_extent(axis("kernel=5"));
constexpr AxisExtent two = number_extent(2);
static_assert(format(axis_of(n - five + number_extent(1))).view() == "n-4");
static_assert(format(axis_of(n + two * two - five + number_extent(1))).view() == "n");
static_assert(format(axis_of(quotient(n - five, two) + number_extent(1))).view() == "(n-5)//2+1");
static_assert(format(axis_of(quotient(n * two, two))).view() == "n");
static_assert(format(axis_of(remainder(n, two))).view() == "n%2");
static_assert(format(axis_of(minimum(n, n + two))).view() == "n");
static_assert(format(axis_of(minimum(n, five))).view() == "min(5,n)");
static_assert(format(axis_of(symbolic_extent(axis("_")) * two)).view() == "_");
static_assert(!symbolic_extent(axis("_")).known && symbolic_extent(axis("n=4")).constant() == 4);
static_assert(n + five == five + n && (n + five) * (n - five) == n * n - five * five);
static_assert(is_zero(n - n) && is_zero(n * number_extent(0)) && !is_zero(n));

// Shapes with one axis added, removed or replaced.
static_assert(with_axis(shape("a b c"), 1, axis("7")) == "a 7 c");
// The n of n+1 is the size before: the cut axis is another size.
static_assert(with_axis(shape("n n+1"), 0, axis("n=4")) == "n=4 _");
static_assert(with_axis(shape("t k=t-1"), 0, axis("t=5")) == "t=5 k=_");
static_assert(with_axis(shape("t k=t-1"), 0, axis("t=t-1")) == "t=t-1 k=t-1");
static_assert(with_axis(shape("t k=t-1"), 1, axis("k=t-2")) == "t k=t-2");
static_assert(inserted(shape("k=t-1"), 0, axis("t")) == "t k=_");
static_assert(spliced(shape("word d=word+1"), 0, shape("t s=t-1")) == "t s=t-1 d=word+1");
static_assert(spliced(shape("word d=t"), 0, shape("t")) == "t d=_");
static_assert(merged(shape("t k=t-1"), shape("4 _")) == "t=4 k=3");
static_assert(inserted(shape("a b"), 0, axis("7")) == "7 a b");
static_assert(inserted(shape("a b"), 1, axis("x=2")) == "a x=2 b");
static_assert(inserted(shape("a b"), 2, axis("_")) == "a b _");
static_assert(inserted(shape(""), 0, axis("n")) == "n");
static_assert(removed(shape("a b c"), 1) == "a c");
static_assert(removed(shape("a"), 0) == "");
static_assert(removed(shape("n n+1"), 0) == "n+1");
static_assert(permuted(shape("a b c"), {2, 0, 1}) == "c a b");
static_assert(permuted(shape("a=1 b"), {1, 0}) == "b a=1");
