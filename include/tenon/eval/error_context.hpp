#pragma once

#include <string>

#include <tenon/core/error.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/ir/node_name.hpp>
#include <tenon/tensor/print.hpp>

/// The text of an expression, for messages: `relu(add(float32 "n=3 k=70", float32 "k=70"))`.
namespace tenon::internal {

/// Appends the text of an expression.
template <class E>
[[gnu::cold]] void append_expression(E const& e, std::string& text) {
  if constexpr (is_constant<E>) {
    text += "number";
  } else if constexpr (node_name<E>.empty()) {
    text += describe_tensor(e);
  } else {
    text.append(node_name<E>).append("(");
    bool is_first = true;
    each_operand(e, [&](auto const& operand) {
      if (!is_first) text += ", ";
      is_first = false;
      append_expression(operand, text);
    });
    text += ")";
  }
}

/// The text of an expression: the types of its result and of its operands.
template <class E>
[[gnu::cold]] std::string expression_text(E const& e) {
  std::string text = describe_tensor(e) + " = ";
  append_expression(e, text);
  constexpr std::size_t most = 400;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

/// Calls `f`; if it throws a device error, appends the text of the expression to the message.
template <class E, class F>
decltype(auto) with_error_context(E const& e, F const& f) {
  if constexpr (E::device::is_host) {
    return f();
  } else {
    try {
      return f();
    } catch (DeviceError const& error) {
      throw DeviceError(std::string(error.what()) + "; for " + expression_text(e));
    }
  }
}

}  // namespace tenon::internal
