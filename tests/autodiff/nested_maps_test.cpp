#include "nested.hpp"

namespace nested_maps_test {

using namespace nested;

namespace {

/// A point at which the functions of a domain are smooth.
Matrix point_of(op::Domain domain) {
  if (domain == op::Domain::positive) return {{0.4, 1.3, 0.8}, {2.1, 0.9, 1.7}};
  if (domain == op::Domain::within_one) return {{0.4, -0.3, 0.8}, {-0.6, 0.1, 0.7}};
  return {{0.4, 1.3, -0.8}, {-2.1, 0.9, -1.7}};
}

template <class Op>
void check_function() {
  Function const f = [](Matrix const& x) { return mixed(map<Op>(x)) + mixed(x); };
  constexpr op::Domain domain = op::domain_of<Op>();
  std::string const name(Op::name);
  check(name, point_of(domain), f);
  if (domain == op::Domain::everywhere || domain == op::Domain::within_one)
    check(name, {{0, 0.4, -0.3}, {0.1, 0, -0.6}}, f);
}
template <class... Op>
void check_unary(op::List<Op...>) {
  (check_function<Op>(), ...);
}
template <class... Op>
void check_binary(op::List<Op...>) {
  (check(std::string(Op::name), point_of(op::domain_of<Op>()),
         [](Matrix const& x) { return mixed(map<Op>(x, flip<"m">(x))); }),
   ...);
}

}  // namespace

TEST_CASE("second derivatives of all unary functions") { check_unary(op::Unary()); }

TEST_CASE("second derivatives of all binary functions") { check_binary(op::Binary()); }

TEST_CASE("second derivatives of powers of zero") {
  Matrix const x{{0.4, 0, -0.8}, {0, 0.9, -1.7}};
  for (double const exponent : {1.0, 2.0, 3.0, 4.0})
    check("pow", x, [=](Matrix const& at) { return mixed(pow(at, exponent)); });
  CHECK(grad([](Float64<"n"> const& at) { return sum(pow(at, 0.0)); })(Float64<"n">{0, NAN, 2})(
            1) == 0);
}

TEST_CASE("second derivatives of where, clamp and casts") {
  Matrix const x = point_of(op::Domain::everywhere);
  check("where", x, [](Matrix const& at) { return mixed(where(at > 0, at * at, exp(at))); });
  check("clamp", x, [](Matrix const& at) { return mixed(clamp(at, -1, 1)); });
  check("stop_gradient", x,
        [](Matrix const& at) { return mixed(at * at + stop_gradient(sign(at))); });
  check("to", x, [](Matrix const& at) { return mixed(to<double>(at) * at); });
}

}  // namespace nested_maps_test
