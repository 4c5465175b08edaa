#pragma once

#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <tenon/core/shape.hpp>

namespace tenon::internal::codegen {

/// A number in the text of a kernel: a literal, or an argument known at run time.
struct Quantity {
  std::int64_t number = 1;
  int variable = -1;  ///< Index of the argument; -1: a literal.

  bool is_one() const { return variable < 0 && number == 1; }
};

/// One per axis; those past the rank are 1.
using Quantities = std::array<Quantity, max_rank>;

/// The run-time numbers of a kernel. Two of them may be found to be equal; the text refers to one
/// argument.
class Variables {
 public:
  struct Argument {
    std::string name;
    std::int64_t value;
  };

  Quantity fresh(std::string const& wish, std::int64_t value) {
    entries_.push_back({static_cast<int>(entries_.size()), value, wish, {}});
    return {value, static_cast<int>(entries_.size()) - 1};
  }

  /// The start offset of a slice of memory; equal ones are merged.
  Quantity start(std::int64_t value) {
    auto const [known, is_new] = starts_.try_emplace(value);
    if (is_new) known->second = fresh("start", value);
    return known->second;
  }

  void same(Quantity const& a, Quantity const& b) {
    if (a.variable < 0 || b.variable < 0) return;
    int const one = first(a.variable), other = first(b.variable);
    entry(one < other ? other : one).same_as = one < other ? one : other;
  }

  /// Whether two numbers are known to be equal.
  bool agree(Quantity const& a, Quantity const& b) {
    if (a.variable < 0 || b.variable < 0) return a.variable == b.variable && a.number == b.number;
    return first(a.variable) == first(b.variable);
  }

  std::string text(Quantity const& quantity) {
    if (quantity.variable < 0) return std::to_string(quantity.number);
    Entry& known = entry(first(quantity.variable));
    if (known.name.empty()) {
      known.name = unused(known.wish);
      arguments_.push_back({known.name, known.value});
    }
    return known.name;
  }

  std::vector<Argument> const& arguments() const { return arguments_; }

 private:
  struct Entry {
    int same_as;
    std::int64_t value;
    std::string wish;
    std::string name;
  };

  Entry& entry(int i) { return entries_[static_cast<std::size_t>(i)]; }
  int first(int i) {
    while (entry(i).same_as != i) i = entry(i).same_as;
    return i;
  }
  std::string unused(std::string const& wish) {
    std::string name = wish;
    for (int i = 2; !used_.insert(name).second; ++i) name = wish + "_" + std::to_string(i);
    return name;
  }

  std::vector<Entry> entries_;
  std::map<std::int64_t, Quantity> starts_;
  std::set<std::string> used_;
  std::vector<Argument> arguments_;
};

/// `n_batch`; for an axis without a name: `n`.
inline std::string size_name(Axis const& axis) {
  std::string const name(axis.name.view());
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return "n";
  }
  return name.empty() ? "n" : "n_" + name;
}

/// `a * b * c`, without factors of 1.
inline std::string product_text(Variables& variables, Quantities const& sizes, int from, int to) {
  std::int64_t number = 1;
  std::string text;
  for (int i = from; i < to; ++i) {
    Quantity const& size = sizes[static_cast<std::size_t>(i)];
    if (size.variable < 0) number *= size.number;
    else text += (text.empty() ? "" : " * ") + variables.text(size);
  }
  if (text.empty() || number == 0) return std::to_string(number);
  return number == 1 ? text : text + " * " + std::to_string(number);
}

/// A text as a factor or a divisor: products are in parentheses.
inline std::string factor_text(std::string const& text) {
  return text.find('*') == std::string::npos ? text : "(" + text + ")";
}

}  // namespace tenon::internal::codegen
