#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

// Modifiers are allowed in annotations only, and not every modifier with every axis.
static_assert(refuses("*4", "* takes a name, not a size"));
static_assert(refuses("+4", "+ takes a name, not a size"));
static_assert(refuses("?4", "? takes a name, not a size"));
static_assert(refuses("*n+1", "* takes a name, not an expression"));
static_assert(refuses("+n//2", "+ takes a name, not an expression"));
static_assert(refuses("?n+1", "? takes a name, not an expression"));
static_assert(refuses("#_", "# before _: it already fits 1"));
static_assert(refuses("*#_doc", "# before _: it already fits 1"));
static_assert(refuses("?_", "? before _: it already fits all"));
static_assert(refuses("*n=4", "several axes cannot share one size"));
static_assert(refuses("?n=4", "? has a size per leaf, = has one"));
static_assert(refuses("**n", "the same modifier stands twice"));
static_assert(refuses("##n", "the same modifier stands twice"));
static_assert(refuses("*+n", "* and + exclude each other"));
static_assert(refuses("#...", "... takes no modifier"));
static_assert(refuses("*", "a modifier must stand before a name"));
static_assert(refuses("a # b", "a modifier must stand before a name", "#"));
static_assert(refuses("*batch", "* belongs to annotations"));
static_assert(refuses("+batch", "+ belongs to annotations"));
static_assert(refuses("#n", "# belongs to annotations"));
static_assert(refuses("#4", "# belongs to annotations"));
static_assert(refuses("?n", "? belongs to annotations"));
static_assert(refuses("a ... b", "... belongs to annotations", "..."));
static_assert(refuses("... ...", "... belongs to annotations", "..."));
static_assert(tokens_of("*a *b").mistake == "only one variadic can stand here");
static_assert(tokens_of("... +b").culprit == "+b");

// Characters.
static_assert(refuses("a, b", "a comma: separate axes by spaces", "a,"));
static_assert(refuses("a,b", "a comma: separate axes by spaces"));
static_assert(refuses("3,4", "a comma: separate axes by spaces"));
static_assert(refuses("(a,b)", "a comma: separate axes by spaces"));
static_assert(refuses("n#", "a stray #: it stands before a name"));
static_assert(refuses("n?", "a stray ?: it stands before a name"));
static_assert(refuses("a$", "an unknown character"));
static_assert(refuses("a:3", "an unknown character"));
static_assert(refuses("[a]", "an unknown character"));
static_assert(refuses("n={}", "as many {} as values in spec(...)"));
static_assert(refuses("{4}", "as many {} as values in spec(...)"));
static_assert(refuses("n^2", "an unknown character"));
static_assert(refuses("a -> b", "an arrow belongs to a pattern", "->"));
static_assert(refuses("n@dp", "sharded axes belong to Sharded"));
static_assert(refuses("n@", "a mesh axis must follow @"));
static_assert(refuses("4@dp", "sharded axes belong to Sharded"));
static_assert(refuses("..", "a stray dot: bounds are n=1..64"));
static_assert(refuses("a.b", "a stray dot: bounds are n=1..64"));

// Sizes and bounds.
static_assert(refuses("batch=", "a size or bounds must follow ="));
static_assert(refuses("batch=x+", "an expression ends too early"));
static_assert(refuses("batch=_x", "nothing can be computed from _"));
static_assert(refuses("batch=-1", "a size cannot be negative"));
static_assert(refuses("batch==3", "= must follow a name"));
static_assert(refuses("batch=3x", "a name cannot begin with a digit"));
static_assert(refuses("batch=3..1", "the lower bound is above the upper"));
static_assert(refuses("batch=..", "one bound must be given"));
static_assert(refuses("batch=1..2..3", "a bound is a number"));
static_assert(refuses("batch=1..n", "a bound is a number"));
static_assert(refuses("batch=1.5", "= takes a size or bounds"));
static_assert(refuses("n = 3", "= must follow a name", "="));
static_assert(refuses("=3", "= must follow a name"));
static_assert(refuses("3=4", "= must follow a name"));
static_assert(refuses("_=3", "_ is of any size: = cannot follow"));
static_assert(refuses("_doc=1..3", "_ is of any size: = cannot follow"));
static_assert(refuses("4..", "bounds need a name: n=1..64"));
static_assert(refuses("1..64", "bounds need a name: n=1..64"));
static_assert(refuses("3.5", "a size is a whole number"));
static_assert(refuses("-1", "a size cannot be negative"));
static_assert(refuses("4x", "a name cannot begin with a digit"));
static_assert(refuses("9007199254740993", "a size is too large"));
static_assert(refuses("99999999999999999999999", "a size is too large"));
static_assert(refuses("n=99999999999999999", "a size is too large"));
static_assert(refuses("n=1..99999999999999999", "a size is too large"));

// Computed sizes.
static_assert(refuses("n+", "an expression ends too early"));
static_assert(refuses("n//", "an expression ends too early"));
static_assert(refuses("n++1", "an operand is missing"));
static_assert(refuses("n*/2", "an operand is missing"));
static_assert(refuses("/2", "an operand is missing"));
static_assert(refuses("(n+)", "an operand is missing"));
static_assert(refuses("()", "an expression is empty"));
static_assert(refuses("n*()", "an expression is empty"));
static_assert(refuses("(n", "a ( is not closed"));
static_assert(refuses("(n+1)*(m", "a ( is not closed"));
static_assert(refuses("n)", "a ) closes nothing"));
static_assert(refuses(")", "a ) closes nothing"));
static_assert(refuses("(h w)", "a ( is not closed", "(h"));
static_assert(refuses("(n)2", "an operator is missing"));
static_assert(refuses("n//0", "division by zero"));
static_assert(refuses("n%0", "division by zero"));
static_assert(refuses("n//(2-2)", "division by zero"));
static_assert(refuses("n=0 m//n", "division by zero", "m//n"));
static_assert(refuses("n/2", "/ is written //: sizes are whole"));
static_assert(refuses("n**2", "a power is written out: n*n"));
static_assert(refuses("abs(n)", "the functions are min and max"));
static_assert(refuses("n(2)", "the functions are min and max"));
static_assert(refuses("max(n)", "max takes two arguments: max(n,m)"));
static_assert(refuses("max(n,", "an expression ends too early"));
static_assert(refuses("max(n,m", "a ( is not closed"));
static_assert(refuses("max()", "an operand is missing"));
static_assert(refuses("max(,n)", "an operand is missing"));
static_assert(refuses("max(n,m)2", "an operator is missing"));
static_assert(refuses("n//max(0,0)", "division by zero"));
static_assert(refuses("-max(n,m)", "a size cannot be negative"));
static_assert(refuses("max(_,n)", "nothing can be computed from _"));
static_assert(refuses("Max(n,m)", "the functions are min and max"));
static_assert(refuses("n=2 max(n,1)-4", "a size cannot be negative", "max(n,1)-4"));
static_assert(refuses("n=3 n=4 max(n,2)", "one name stands for two sizes", "max(n,2)"));
static_assert(refuses("min(n)", "min takes two arguments: min(n,m)"));
static_assert(refuses("min(n,", "an expression ends too early"));
static_assert(refuses("min(n,m", "a ( is not closed"));
static_assert(refuses("min()", "an operand is missing"));
static_assert(refuses("_+1", "nothing can be computed from _"));
static_assert(refuses("2*4x", "a name cannot begin with a digit"));
static_assert(refuses("n+99999999999999999", "a size is too large"));
static_assert(refuses("-n", "a size cannot be negative"));
static_assert(refuses("3-4", "a size cannot be negative"));
static_assert(refuses("n=2 n-4", "a size cannot be negative", "n-4"));
static_assert(refuses("a+b+c+d+e+f+g+h+i", "an expression is too long"));
static_assert(refuses("(a+b+c)*(d+e+f)", "an expression is too long"));

// The whole spec.
static_assert(refuses("a b c d e f g h i", "a tensor has at most 8 axes", "i"));
static_assert(refuses("n=3 n=4 n+1", "one name stands for two sizes", "n+1"));
static_assert(refuses("n=1..3 n=5..6", "one name stands for two sizes", "n=5..6"));
static_assert(refuses("t=0 k=t-1", "a size cannot be negative", "k=t-1"));

constexpr std::string_view name_64 =
    "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop";
static_assert(name_64.size() == 64);
static_assert(refuses(name_64, "a name is too long"));
static_assert(reads(name_64.substr(1), name_64.substr(1)));

// The additional syntax of annotations, with the same tokens.
static_assert(tokens_of("*#batch c=3 ...").mistake == "only one variadic can stand here");
static_assert(tokens_of("*#batch c")[0].star && tokens_of("*#batch c")[0].hash);
static_assert(tokens_of("#*batch c")[0].star && tokens_of("#*batch c")[0].name == "batch");
static_assert(tokens_of("+batch")[0].plus && tokens_of("+batch")[0].is_variadic());
static_assert(tokens_of("...")[0].kind == TokenKind::ellipsis && tokens_of("...")[0].is_variadic());
static_assert(tokens_of("?n #4 #n+1 *_").mistake.empty());
static_assert(tokens_of("?n #4 #n+1")[2].expression == "n+1");
static_assert(tokens_of("#n=3")[0].size == 3 && tokens_of("#n=3")[0].hash);
static_assert(tokens_of("a b c d e f g h *i").count == 9);
static_assert(tokens_of("n@dp")[0].mesh.empty() && token_of("n@dp").mesh == "dp");
