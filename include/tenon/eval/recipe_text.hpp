#pragma once

#include <string>

#include <tenon/core/error.hpp>
#include <tenon/eval/plan/node_name.hpp>
#include <tenon/expr/node.hpp>
#include <tenon/tensor/print.hpp>

/// A recipe in words, for messages: `relu(add(float32 "n=3 k=70", float32 "k=70"))`.
namespace tenon {

/// Adds a recipe's words to a text.
template <class E>
[[gnu::cold]] void say_recipe(E const& e, std::string& text) {
  if constexpr (is_constant<E>) {
    text += "number";
  } else if constexpr (node_name<E>.empty()) {
    text += describe(e);
  } else {
    text.append(node_name<E>).append("(");
    bool is_first = true;
    each_operand(e, [&](auto const& operand) {
      if (!is_first) text += ", ";
      is_first = false;
      say_recipe(operand, text);
    });
    text += ")";
  }
}

/// A recipe in words: what it gives, and of what.
template <class E>
[[gnu::cold]] std::string recipe_text(E const& e) {
  std::string text = describe(e) + " = ";
  say_recipe(e, text);
  constexpr std::size_t most = 400;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

/// Calls `f`; the message of a device error that it throws gets the text of the recipe.
template <class E, class F>
decltype(auto) told_with(E const& e, F const& f) {
  if constexpr (E::device::is_host) {
    return f();
  } else {
    try {
      return f();
    } catch (DeviceError const& error) {
      throw DeviceError(std::string(error.what()) + "; for " + recipe_text(e));
    }
  }
}

}  // namespace tenon
