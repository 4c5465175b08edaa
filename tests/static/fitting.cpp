#include "rules.hpp"

using namespace rules;

// The result of the run-time check: -1 if sizes fit, otherwise the first axis that does not.
static_assert(mismatched("", 1) == -1);
static_assert(mismatched("3 4", 3, 4) == -1);
static_assert(mismatched("3 4", 3, 5) == 1);
static_assert(mismatched("batch digit=10", 7, 10) == -1);
static_assert(mismatched("batch digit=10", 7, 9) == 1);
static_assert(mismatched("batch", -1) == 0);
static_assert(mismatched("_", 0) == -1);
static_assert(mismatched("_", -2) == 0);
static_assert(mismatched("batch=1..64", 1) == -1 && mismatched("batch=1..64", 64) == -1);
static_assert(mismatched("batch=1..64", 0) == 0 && mismatched("batch=1..64", 65) == 0);
static_assert(mismatched("batch=..64", 65) == 0 && mismatched("batch=4..", 3) == 0);
static_assert(mismatched("n n", 3, 3) == -1 && mismatched("n n", 3, 4) == 1);
static_assert(mismatched("n n=1", 3, 1) == -1 && mismatched("n=1 n", 1, 3) == -1);
static_assert(mismatched("n n=1 n+1", 3, 1, 4) == -1 && mismatched("n n=1 n+1", 3, 1, 2) == 2);
static_assert(mismatched("n n+1", 3, 4) == -1 && mismatched("n n+1", 3, 5) == 1);
static_assert(mismatched("n+1 n", 4, 3) == -1 && mismatched("n+1 n", 3, 3) == 0);
static_assert(mismatched("n m n*m", 3, 4, 12) == -1 && mismatched("n m n*m", 3, 4, 11) == 2);
static_assert(mismatched("n n//2", 7, 3) == -1 && mismatched("n n//2", 7, 4) == 1);
static_assert(mismatched("n n%4", 7, 3) == -1 && mismatched("n n%4", 7, 2) == 1);
static_assert(mismatched("n m max(n,m)", 7, 5, 7) == -1 &&
              mismatched("n m max(n,m)", 7, 5, 5) == 2);
static_assert(mismatched("n m min(n,m)", 7, 5, 5) == -1 &&
              mismatched("n m min(n,m)", 7, 5, 7) == 2);
static_assert(mismatched("n m (n+m)*2-1", 2, 3, 9) == -1);
static_assert(mismatched("n n-4", 2, 0) == 1);
static_assert(mismatched("n+1", 5) == -1);
static_assert(mismatched("n m//n", 0, 3) == -1);
static_assert(mismatched("n n*n*n*n", 9007199254740992, 1) == -1);
