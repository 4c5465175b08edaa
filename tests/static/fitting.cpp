#include "rules.hpp"

using namespace rules;

// What run time finds; -1 is nothing wrong, else the first axis that is.
static_assert(misfit("", 1) == -1);
static_assert(misfit("3 4", 3, 4) == -1);
static_assert(misfit("3 4", 3, 5) == 1);
static_assert(misfit("batch digit=10", 7, 10) == -1);
static_assert(misfit("batch digit=10", 7, 9) == 1);
static_assert(misfit("batch", -1) == 0);
static_assert(misfit("_", 0) == -1);
static_assert(misfit("_", -2) == 0);
static_assert(misfit("batch=1..64", 1) == -1 && misfit("batch=1..64", 64) == -1);
static_assert(misfit("batch=1..64", 0) == 0 && misfit("batch=1..64", 65) == 0);
static_assert(misfit("batch=..64", 65) == 0 && misfit("batch=4..", 3) == 0);
static_assert(misfit("n n", 3, 3) == -1 && misfit("n n", 3, 4) == 1);
static_assert(misfit("n n=1", 3, 1) == -1 && misfit("n=1 n", 1, 3) == -1);
static_assert(misfit("n n=1 n+1", 3, 1, 4) == -1 && misfit("n n=1 n+1", 3, 1, 2) == 2);
static_assert(misfit("n n+1", 3, 4) == -1 && misfit("n n+1", 3, 5) == 1);
static_assert(misfit("n+1 n", 4, 3) == -1 && misfit("n+1 n", 3, 3) == 0);
static_assert(misfit("n m n*m", 3, 4, 12) == -1 && misfit("n m n*m", 3, 4, 11) == 2);
static_assert(misfit("n n//2", 7, 3) == -1 && misfit("n n//2", 7, 4) == 1);
static_assert(misfit("n n%4", 7, 3) == -1 && misfit("n n%4", 7, 2) == 1);
static_assert(misfit("n m min(n,m)", 7, 5, 5) == -1 && misfit("n m min(n,m)", 7, 5, 7) == 2);
static_assert(misfit("n m (n+m)*2-1", 2, 3, 9) == -1);
static_assert(misfit("n n-4", 2, 0) == 1);
static_assert(misfit("n+1", 5) == -1);
static_assert(misfit("n m//n", 0, 3) == -1);
static_assert(misfit("n n*n*n*n", 9007199254740992, 1) == -1);
