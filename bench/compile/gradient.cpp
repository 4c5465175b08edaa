// One formula, and the gradient of its sum.

#include <tenon/tenon.hpp>

using namespace tenon;

struct Pair {
  Float32<"n"> a, b;
};

Float32<"n"> f(Pair const& p) { return relu(p.a * p.b + 1); }
Pair df(Pair const& p) {
  return grad([](Pair const& q) { return sum(relu(q.a * q.b + 1)); })(p);
}
