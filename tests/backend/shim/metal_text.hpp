// The text of Metal kernels, transformed for a C++ compiler: attributes of kernel parameters become
// calls.

#pragma once

#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "library.hpp"

namespace shim {

/// The parameters of a kernel, separated at commas outside of parentheses.
inline std::vector<std::string> parameters_of(std::string_view text, std::string const& kernel) {
  std::size_t at = text.find("kernel void " + kernel + "(");
  std::vector<std::string> all(1);
  int depth = 0;
  for (at = text.find('(', at); at < text.size(); ++at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth == 0) break;
    if (depth == 1 && text[at] == ',') all.emplace_back();
    else if (depth > 1 || text[at] != '(') all.back() += text[at];
  }
  return all;
}

/// `[[buffer(3)]]` is `buffer(3)`.
inline std::string attribute_of(std::string const& parameter) {
  std::size_t const begin = parameter.find("[["), end = parameter.find("]]");
  if (begin == parameter.npos || end == parameter.npos)
    throw std::runtime_error("a parameter without an attribute: " + parameter);
  return parameter.substr(begin + 2, end - begin - 2);
}

/// An entry of a kernel, and a text of its bindings: 'p' for memory, the number of bytes for a
/// number, '.' for none.
class MetalEntry {
 public:
  MetalEntry(std::string_view text, std::string kernel) : kernel_(std::move(kernel)) {
    for (std::string const& parameter : parameters_of(text, kernel_)) add(parameter);
  }

  std::string text() const {
    return "extern \"C\" void call_" + kernel_ +
           "(shim::Member const* member, void* const* bound) {\n  shim::here = member;\n  " +
           kernel_ + "(" + call_ + ");\n}\nextern \"C\" char const* kinds_" + kernel_ +
           "() {\n  static char const text[] = {" + kinds_ + "0};\n  return text;\n}\n";
  }

 private:
  void add(std::string const& parameter) {
    std::string const attribute = attribute_of(parameter);
    if (!call_.empty()) call_ += ", ";
    if (attribute.rfind("buffer(", 0) != 0) call_ += "shim::" + attribute + "()";
    else add_bound(parameter, attribute.substr(7, attribute.size() - 8));
  }
  void add_bound(std::string const& parameter, std::string const& place) {
    if (std::stoi(place) > 30) throw std::runtime_error("'buffer' attribute out of bounds");
    if (std::stoi(place) != next_++) throw std::runtime_error("buffers in another order");
    std::size_t const reference = parameter.find('&');
    std::string const memory = "shim::Memory{bound[" + place + "]}";
    if (reference == parameter.npos) {
      call_ += memory;
      kinds_ += "'p', ";
      return;
    }
    std::string const type = parameter.substr(0, reference);
    call_ += "*static_cast<" + type + "*>(" + memory + ")";
    kinds_ += "'0' + sizeof(" + type + "), ";
  }

  std::string kernel_, call_{}, kinds_{};
  int next_ = 0;
};

/// A text with an entry for each of its kernels.
inline std::string metal_text(std::string text) {
  std::string const header = "#include <metal_stdlib>";
  std::size_t const at = text.find(header);
  if (at == text.npos) throw std::runtime_error("a text without " + header);
  text.replace(at, header.size(), "//" + header);
  std::string entries;
  for (std::string const& kernel : names_after("kernel void ", text))
    entries += MetalEntry(text, kernel).text();
  return text + "\n" + entries;
}

/// The library of a text, or the compiler's messages if it does not compile.
inline Made made_of_metal(std::string const& text) {
  try {
    return made_of("metal.hpp", metal_text(text), {});
  } catch (std::runtime_error const& error) {
    return {{}, error.what()};
  }
}

}  // namespace shim
