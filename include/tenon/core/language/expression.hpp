#pragma once

#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/language/text.hpp>
#include <tenon/core/language/word.hpp>

namespace tenon::internal {

/// The limit for nested parentheses: input from outside must not overflow the stack, and compilers
/// allow 512 nested constexpr calls.
inline constexpr int most_parentheses = 64;

/// Parses an expression for any kind of value: `Algebra` defines the meaning of numbers, names and
/// operators. The grammar is Python's, with a minus only at the front of a sum.
template <class Algebra>
struct ExpressionReader {
  using Value = typename Algebra::Value;

  std::string_view rest{};
  Algebra algebra{};
  std::string_view mistake{};
  int depth = 0;  ///< of parentheses

  constexpr Value refuse(std::string_view why) {
    if (mistake.empty()) mistake = why;
    rest = {};
    return algebra.number(0);
  }

  constexpr bool take(std::string_view symbol) {
    if (!rest.starts_with(symbol)) return false;
    rest.remove_prefix(symbol.size());
    return true;
  }

  constexpr Value whole() {
    Value value = sum();
    if (rest.empty()) return value;
    if (rest[0] == ')') return refuse("a ) closes nothing");
    return refuse(rest[0] == ',' ? "a comma: separate axes by spaces" : "an operator is missing");
  }

  constexpr Value sum() {
    Value value = take("-") ? algebra.subtract(algebra.number(0), product()) : product();
    while (mistake.empty()) {
      if (take("+")) {
        value = algebra.add(value, product());
      } else if (take("-")) {
        value = algebra.subtract(value, product());
      } else {
        break;
      }
    }
    return value;
  }

  constexpr Value product() {
    Value value = operand();
    while (mistake.empty()) {
      if (take("**")) return refuse("a power is written out: n*n");
      if (take("*")) {
        value = algebra.multiply(value, operand());
      } else if (take("//")) {
        value = quotient(value, true);
      } else if (take("%")) {
        value = quotient(value, false);
      } else {
        break;
      }
    }
    return take("/") ? refuse("/ is written //: sizes are whole") : value;
  }

  constexpr Value quotient(Value const& value, bool whole_part) {
    Value const divisor = operand();
    if (algebra.is_zero(divisor)) return refuse("division by zero");
    return whole_part ? algebra.divide(value, divisor) : algebra.modulo(value, divisor);
  }

  constexpr Value operand() {
    if (take("(")) return parenthesis();
    if (auto const digits = leading_digits(rest); !digits.empty()) {
      rest.remove_prefix(digits.size());
      if (!leading_name(rest).empty()) return refuse("a name cannot begin with a digit");
      return number_of(digits) < 0 ? refuse("a size is too large")
                                   : algebra.number(number_of(digits));
    }
    std::string_view const name = leading_name(rest);
    if (name.empty()) return refuse(missing());
    if (name.size() > FixedText::capacity) return refuse("a name is too long");
    rest.remove_prefix(name.size());
    if (take("(")) return function(name);
    return name[0] == '_' ? refuse("nothing can be computed from _") : algebra.name(name);
  }

  constexpr std::string_view missing() const {
    if (rest.empty()) return "an expression ends too early";
    return rest[0] == ')' && depth == 0 ? "a ) closes nothing" : "an operand is missing";
  }

  constexpr Value closed(Value const& value) {
    --depth;
    if (take(")")) return value;
    return refuse(rest.starts_with(",") ? "a comma: separate axes by spaces" : "a ( is not closed");
  }

  constexpr Value parenthesis() {
    if (++depth > most_parentheses) return refuse("parentheses are too deep");
    return rest.starts_with(")") ? refuse("an expression is empty") : closed(sum());
  }

  constexpr Value function(std::string_view name) {
    bool const smallest = name == "min";
    if (!smallest && name != "max") return refuse("the functions are min and max");
    if (++depth > most_parentheses) return refuse("parentheses are too deep");
    Value value = sum();
    if (mistake.empty() && !rest.starts_with(","))
      return refuse(smallest ? "min takes two arguments: min(n,m)"
                             : "max takes two arguments: max(n,m)");
    while (take(",")) {
      value = smallest ? algebra.minimum(value, sum()) : algebra.maximum(value, sum());
    }
    return closed(value);
  }
};

}  // namespace tenon::internal
