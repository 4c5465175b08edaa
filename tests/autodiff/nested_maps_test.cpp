#include "../every_op/reference.hpp"
#include "nested.hpp"

namespace nested_maps_test {

using namespace nested;

namespace {

/// Where the functions of a domain are smooth.
Matrix point_of(judge::Domain domain) {
  if (domain == judge::Domain::positive) return {{0.4, 1.3, 0.8}, {2.1, 0.9, 1.7}};
  if (domain == judge::Domain::within_one) return {{0.4, -0.3, 0.8}, {-0.6, 0.1, 0.7}};
  return {{0.4, 1.3, -0.8}, {-2.1, 0.9, -1.7}};
}

/// Functions with derivatives of every order at zero.
bool is_smooth_at_zero(std::string const& name, judge::Domain domain) {
  for (std::string const kinked : {"abs", "relu", "sign", "floor", "ceil", "round", "trunc"})
    if (name == kinked) return false;
  return domain != judge::Domain::positive;
}

template <class Op>
void check_function() {
  Function const f = [](Matrix const& x) { return mixed(map<Op>(x)) + mixed(x); };
  judge::Domain const domain = judge::reference_of<Op>(judge::unary_references).domain;
  std::string const name(Op::name);
  check(name, point_of(domain), f);
  if (is_smooth_at_zero(name, domain)) check(name, {{0, 0.4, -0.3}, {0.1, 0, -0.6}}, f);
}
template <class... Op>
void check_unary(op::List<Op...>) {
  (check_function<Op>(), ...);
}
template <class... Op>
void check_binary(op::List<Op...>) {
  (check(std::string(Op::name), point_of(judge::reference_of<Op>(judge::binary_references).domain),
         [](Matrix const& x) { return mixed(map<Op>(x, flip<"m">(x))); }),
   ...);
}

}  // namespace

TEST_CASE("second derivatives of all functions of an element") { check_unary(op::Unary()); }

TEST_CASE("second derivatives of all functions of two elements") { check_binary(op::Binary()); }

TEST_CASE("second derivatives of powers of zero") {
  Matrix const x{{0.4, 0, -0.8}, {0, 0.9, -1.7}};
  for (double const exponent : {1.0, 2.0, 3.0, 4.0})
    check("pow", x, [=](Matrix const& at) { return mixed(pow(at, exponent)); });
  CHECK(grad([](Float64<"n"> const& at) { return sum(pow(at, 0.0)); })(Float64<"n">{0, NAN, 2})(
            1) == 0);
}

TEST_CASE("second derivatives of a choice, of bounds and of casts") {
  Matrix const x = point_of(judge::Domain::all);
  check("where", x, [](Matrix const& at) { return mixed(where(at > 0, at * at, exp(at))); });
  check("clamp", x, [](Matrix const& at) { return mixed(clamp(at, -1, 1)); });
  check("stop_gradient", x,
        [](Matrix const& at) { return mixed(at * at + stop_gradient(sign(at))); });
  check("to", x, [](Matrix const& at) { return mixed(to<double>(at) * at); });
}

}  // namespace nested_maps_test
