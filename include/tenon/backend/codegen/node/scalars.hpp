#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/backend/codegen/symbol/value.hpp>

namespace tenon::internal::codegen {

/// The scalars of an expression: literals in the text of its kernel, or kernel arguments, so that a
/// change (such as that of a learning rate) does not need another kernel.
class Scalars {
 public:
  explicit Scalars(bool arguments) : are_arguments(arguments) {}

  bool are_arguments;

  struct Argument {
    std::string_view type;
    std::string name;
    std::size_t bytes;
    std::array<std::byte, 8> value;
  };

  std::vector<Argument> const& all() const { return arguments_; }

  /// The name of a scalar argument: equal ones of a dtype are merged.
  int name(Listing& listing, Dtype const& dtype, Value const& number) {
    Argument argument{dtype.text, "c" + std::to_string(names_.size()), dtype.bytes, number.number};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (arguments_[i].type == argument.type && arguments_[i].value == argument.value)
        return names_[i];
    }
    arguments_.push_back(argument);
    names_.push_back(listing.parameter(argument.name));
    return names_.back();
  }

 private:
  std::vector<Argument> arguments_;
  std::vector<int> names_;
};

}  // namespace tenon::internal::codegen
