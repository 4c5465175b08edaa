#pragma once

#include <stdexcept>
#include <string>

namespace gpt {

/// An invalid argument or file.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void refuse(std::string const& what, std::string const& expected) {
  throw Refusal(what + ": expected " + expected);
}

}  // namespace gpt
