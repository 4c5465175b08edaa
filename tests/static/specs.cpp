#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

// Sizes, names, both.
static_assert(reads("", ""));
static_assert(reads("   ", ""));
static_assert(reads("28", "28"));
static_assert(reads("0", "0"));
static_assert(reads("007", "7"));
static_assert(reads("batch", "batch"));
static_assert(reads("batch=32", "batch=32"));
static_assert(reads("batch=0", "batch=0"));
static_assert(reads("  batch\t digit=10\n", "batch digit=10"));
static_assert(reads("a b c d e f g h", "a b c d e f g h"));
static_assert(reads("x1 X_1 min", "x1 X_1 min"));
static_assert(reads("9007199254740992", "9007199254740992"));
static_assert(shape("batch digit=10").rank == 2);
static_assert(!axis("batch").is_static() && axis("batch").is_named());
static_assert(axis("batch=32").size == 32 && axis("batch=32").name.view() == "batch");
static_assert(axis("28").size == 28 && !axis("28").is_named());
static_assert(shape("").rank == 0 && shape("").is_static());
static_assert(shape("a=2 3").is_static() && !shape("a=2 b").is_static());

// Bounds.
static_assert(reads("batch=1..64", "batch=1..64"));
static_assert(reads("batch=..64", "batch=..64"));
static_assert(reads("batch=0..64", "batch=..64"));
static_assert(reads("batch=4..", "batch=4.."));
static_assert(reads("batch=0..", "batch"));
static_assert(reads("batch=3..3", "batch=3"));
static_assert(axis("batch=1..64").lower == 1 && axis("batch=1..64").upper == 64);
static_assert(axis("batch=..64").lower == 0 && axis("batch=4..").upper == unbounded);

// Any size.
static_assert(reads("_", "_"));
static_assert(reads("_doc", "_"));
static_assert(reads("_a _a _", "_ _ _"));
static_assert(!axis("_doc").is_named() && !axis("_doc").is_static());

// Computed sizes in normal form.
static_assert(reads("n+1", "n+1"));
static_assert(reads("1+n", "n+1"));
static_assert(reads("n+1-1", "n"));
static_assert(reads("(n)", "n"));
static_assert(reads("n*1", "n"));
static_assert(reads("n*0", "0"));
static_assert(reads("n-n", "0"));
static_assert(reads("n+n", "2*n"));
static_assert(reads("n*2", "2*n"));
static_assert(reads("(n+1)*2", "2*n+2"));
static_assert(reads("2*(n+1)-2", "2*n"));
static_assert(reads("m*n", "m*n"));
static_assert(reads("n*m", "m*n"));
static_assert(reads("n*n", "n*n"));
static_assert(reads("(n+1)*(n-1)", "n*n-1"));
static_assert(reads("(n+m)*(n+m)", "m*m+2*m*n+n*n"));
static_assert(reads("1-n+m", "m+1-n"));
static_assert(reads("-n+m", "m-n"));
static_assert(reads("b+a+c+1", "a+b+c+1"));
static_assert(reads("n+m*n+7", "m*n+n+7"));
static_assert(reads("3*4", "12"));
static_assert(reads("2*3+4*5", "26"));
static_assert(reads("7//2 7%2", "3 1"));
static_assert(reads("(0-7)//2+4", "0"));
static_assert(reads("(0-7)%2", "1"));
static_assert(reads("n//2", "n//2"));
static_assert(reads("(n+1)//2", "(n+1)//2"));
static_assert(reads("(1+n)//2", "(n+1)//2"));
static_assert(reads("n//2+1", "n//2+1"));
static_assert(reads("1+n//2", "n//2+1"));
static_assert(reads("m-n//2", "m-(n//2)"));
static_assert(reads("2*(n//2)", "2*(n//2)"));
static_assert(reads("n//2*2", "2*(n//2)"));
static_assert(reads("m*n//2", "(m*n)//2"));
static_assert(reads("m*(n//2)", "(n//2)*m"));
static_assert(reads("n//2//3", "n//6") && reads("((t+1)//2+1)//2", "(t+3)//4"));
static_assert(reads("n//2-n//2", "0"));
static_assert(reads("(2*n)//2", "n"));
static_assert(reads("(4*n+6)//2", "2*n+3"));
static_assert(reads("(2*n)%2", "0"));
static_assert(reads("n//1", "n"));
static_assert(reads("n%1", "0"));
static_assert(reads("n%2", "n%2"));
static_assert(reads("n//m", "n//m"));
static_assert(reads("n%m+1", "n%m+1"));
static_assert(reads("min(n,m)", "min(m,n)"));
static_assert(reads("min(m,n)", "min(m,n)"));
static_assert(reads("min(n,n)", "n"));
static_assert(reads("min(n,n+1)", "n"));
static_assert(reads("min(3,4)", "3"));
static_assert(reads("min(n,4)", "min(4,n)"));
static_assert(reads("min(a,b,c)", "min(c,min(a,b))"));
static_assert(reads("min(n,m)*2+1", "2*min(m,n)+1"));
static_assert(reads("min(n,m)+min(m,n)", "2*min(m,n)"));
static_assert(reads("max(n,m)", "max(m,n)"));
static_assert(reads("max(n,n)", "n"));
static_assert(reads("max(n,n+1)", "n+1"));
static_assert(reads("max(n-1,n)", "n"));
static_assert(reads("max(3,4)", "4"));
static_assert(reads("max(n,4)", "max(4,n)"));
static_assert(reads("max(a,b,c)", "max(c,max(a,b))"));
static_assert(reads("max(min(n,m),1)", "max(1,min(m,n))"));
static_assert(reads("2*max(m,n)-max(n,m)", "max(m,n)"));
static_assert(reads("max(n,m)*max(n,m)", "max(m,n)*max(m,n)"));
static_assert(reads("max max+1 min min+1", "max max+1 min min+1"));
static_assert(reads("n=4 max(n,3) k=max(n,7)", "n=4 4 k=7"));
static_assert(reads("n=4 m max(n,m)", "n=4 m max(4,m)"));
static_assert(reads("max=3 max+1", "max=3 4"));
static_assert(reads("((((n))))", "n"));

// Computed sizes of axes with static sizes are static sizes.
static_assert(reads("n=4 n+1", "n=4 5"));
static_assert(reads("n+1 n=4", "5 n=4"));
static_assert(reads("n=4 m n*m", "n=4 m 4*m"));
static_assert(reads("n=4 m m//n", "n=4 m m//4"));
static_assert(reads("n=4 min(n,3)", "n=4 3"));
static_assert(reads("n=1 n*m", "n=1 m*n"));
static_assert(reads("n n+1", "n n+1"));
static_assert(reads("n=2..4 n+1", "n=2..4 n+1"));

// An axis has a name and a size: a number, an expression in names, or none.
static_assert(reads("t=t-1", "t=t-1") && reads("t=_", "t=_") && reads("k=n", "k=n"));
static_assert(reads("t=t", "t") && reads("t=3+1", "t=4") && reads("t=(t+1)-1", "t"));
static_assert(reads("n=4 t=2*n", "n=4 t=8") && reads("t=5 t=10", "t=5 t=10"));
static_assert(reads("t=1..4 k=t+1", "t=1..4 k=t+1") && reads("t=5 t=t-1", "t=5 t=4"));
static_assert(reads("n=3 n=4", "n=3 n=4") && reads("t=1 k=t+1", "t=1 k=t+1"));

// A name may occur twice; a reduction with keep has `n=1` and `n`.
static_assert(reads("n n", "n n"));
static_assert(reads("n=4 n", "n=4 n"));
static_assert(reads("n n=1", "n n=1"));
static_assert(reads("n=4 n=1 n+1", "n=4 n=1 5"));
static_assert(reads("n=1 n n+1", "n=1 n n+1"));

// Shapes are values.
static_assert(shape("batch digit=10") == "batch digit=10");
static_assert(shape("n 1+n") == "  n n+1 ");
static_assert(!(shape("batch") == "batch=2"));
static_assert(!(shape("batch") == "*4"));
static_assert(shape("a b") == shape("a  b"));
static_assert(shape("a b") != shape("b a"));

// As a template argument.
struct Carrier {
  static constexpr Shape shape = parse("n  1+n _x").shape;
};
static_assert(spec_of<Carrier>.view() == "n n+1 _");
static_assert(canonical<" n  1+n "> == Spec("n n+1"));
static_assert(canonical<"">.view().empty());
static_assert(Canonical<"batch digit=10"> && Canonical<"">);
static_assert(is_canonical<"batch digit=10"> && is_canonical<"">);
static_assert(!is_canonical<"batch  digit=10"> && !is_canonical<" batch">);
static_assert(!is_canonical<"1+n"> && !is_canonical<"_doc"> && !is_canonical<"*4">);
static_assert(!is_canonical<"n=4 n+1"> && is_canonical<"n=4 5">);
static_assert(ValidSpec<"1+n"> && !ValidSpec<"1+">);
